// Waiting without holding the process: a stop never waits for a delay, the journal remembers it.

/** Resolves at `instantMs` since the epoch, at once if that has passed. */
export async function waitUntil(instantMs: number): Promise<void> {
  const leftMs = instantMs - Date.now();
  if (leftMs <= 0) return;
  await new Promise<void>((resolve) => {
    setTimeout(resolve, leftMs).unref();
  });
}
