/** One request of a caller, whatever becomes of it. */
import { request } from 'undici';

/** Where and as whom it calls. A restarted gateway keeps its address. */
export interface Caller {
  readonly api: string;
  readonly token: string;
}

/** A whole answer, and which intent it is about. */
export interface Answer {
  readonly code: number;
  readonly said: Readonly<Record<string, unknown>>;
  readonly intent: string | null;
  readonly status: string | null;
}

interface Asking {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Null where no whole answer came: the caller then knows nothing, and asks again. */
export async function ask(
  path: string,
  { api, token }: Caller,
  asking: Asking,
): Promise<Answer | null> {
  try {
    const { statusCode, body } = await request(`${api}${path}`, {
      ...asking,
      headers: { authorization: `Bearer ${token}`, ...asking.headers },
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
    });
    const said = (await body.json()) as Record<string, unknown>;
    const about = (said['intent'] ?? said) as Record<string, unknown>;
    return { code: statusCode, said, intent: text(about['id']), status: text(about['status']) };
  } catch {
    // Refused, reset or silent: what an outage looks like from outside.
    return null;
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
