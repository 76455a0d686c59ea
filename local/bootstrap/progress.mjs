// One line for each step. On a terminal it shows the seconds while the step runs.

/** Call the result when the step has ended. */
export function showProgress(title) {
  const begun = Date.now();
  const seconds = () => `${((Date.now() - begun) / 1000).toFixed(1)} s`;
  if (!process.stdout.isTTY) {
    console.log(`${title}…`);
    return () => undefined;
  }
  const timer = setInterval(() => process.stdout.write(`\r\x1b[2K${title}… ${seconds()}`), 100);
  return () => {
    clearInterval(timer);
    process.stdout.write(`\r\x1b[2K${title}: ${seconds()}\n`);
  };
}
