/** A caller of the API as an outsider would write it: fetch, a token, a key. */

/** An answer, with its JSON body and the last segment of a problem's type. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  readonly problem: string | undefined;
}

/** What a request may add to or change in the usual ones. */
export interface Sending {
  readonly token: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One HTTP exchange. */
export async function exchange(url: string, sending: Sending): Promise<Reply> {
  const response = await fetch(url, {
    method: sending.method ?? 'GET',
    headers: { authorization: `Bearer ${sending.token}`, ...sending.headers },
    ...(sending.body === undefined ? {} : { body: sending.body }),
  });
  const text = await response.text();
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  const { type } = body;
  const problem = typeof type === 'string' ? type.split('/').at(-1) : undefined;
  return { status: response.status, headers: response.headers, body, problem };
}

/** A charge of 10.00 EUR, as callers send it. */
export interface ChargeBody {
  readonly reference: string;
  readonly amount?: number;
  readonly provider?: string;
  readonly source?: string;
}

/** How to ask: `wait` in seconds, by `Prefer`. */
interface Asking {
  readonly token: string;
  readonly key: string;
  readonly wait?: number;
}

/** Asks for a charge. */
export function charge(api: string, body: ChargeBody, asking: Asking): Promise<Reply> {
  const whole = { amount: 1000, currency: 'EUR', source: 'card_1', ...body };
  return perform(`${api}/v1/intents/payment.charge`, whole, asking);
}

/** A refund as callers send it; `charge` is the intent's id. */
export interface RefundBody {
  readonly charge: string;
  readonly amount: number;
  readonly reference: string;
}

/** Asks for a refund. */
export function refund(api: string, body: RefundBody, asking: Asking): Promise<Reply> {
  return perform(`${api}/v1/intents/payment.refund`, body, asking);
}

function perform(url: string, body: object, { token, key, wait }: Asking): Promise<Reply> {
  return exchange(url, {
    token,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(wait === undefined ? {} : { prefer: `wait=${wait}` }),
    },
    body: JSON.stringify(body),
  });
}
