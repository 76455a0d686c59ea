/** One HTTP exchange with the gateway, as anybody's program or `curl` would have it. */
import { request } from 'undici';

/** An answer; `problem` is the last segment of a problem's type. */
export interface Answer {
  readonly code: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly problem: string | null;
  /** The intent that it is about, as far as rehearsals read it. */
  readonly intent: Intent | null;
}

/** An intent as the gateway shows it. */
export interface Intent {
  readonly id: string;
  readonly status: string;
  readonly reason: string;
  readonly attempts: number;
  readonly discrepancy: { readonly reason: string } | null;
}

export interface Asking {
  readonly token: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Null where no whole answer came: whoever asked knows nothing, and may ask again. */
export async function ask(url: string, asking: Asking): Promise<Answer | null> {
  try {
    const { statusCode, body } = await request(url, {
      method: asking.method ?? 'GET',
      headers: {
        authorization: `Bearer ${asking.token}`,
        ...(asking.body !== undefined && { 'content-type': 'application/json' }),
        ...asking.headers,
      },
      ...(asking.body !== undefined && { body: JSON.stringify(asking.body) }),
      headersTimeout: 70_000,
    });
    return answerOf(statusCode, (await body.json()) as Record<string, unknown>);
  } catch {
    // Refused or reset: what an outage looks like from outside.
    return null;
  }
}

function answerOf(code: number, body: Readonly<Record<string, unknown>>): Answer {
  const about = (body['intent'] ?? body) as Partial<Intent>;
  const { type } = body;
  return {
    code,
    body,
    problem: typeof type === 'string' ? (type.split('/').at(-1) ?? null) : null,
    intent: typeof about.id === 'string' ? (about as Intent) : null,
  };
}
