// What goes back to the client: an HTTP answer, a reset connection, or nothing at all.

import { type FastifyReply } from 'fastify';

/** An HTTP answer. `body` is sent as JSON; a string is sent as it is, as text/html. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type Delivery =
  | { readonly how: 'answer'; readonly answer: Answer }
  | { readonly how: 'reset' }
  | { readonly how: 'silence' };

export const RESET: Delivery = { how: 'reset' };
export const SILENCE: Delivery = { how: 'silence' };

/** How long a silent call keeps its socket when the client never hangs up. */
const SILENCE_CAP_MS = 10 * 60_000;

export function answered(answer: Answer): Delivery {
  return { how: 'answer', answer };
}

export function json(status: number, body: unknown): Answer {
  return { status, headers: {}, body };
}

/** An error answer in the providers' one shape, `{error: {code, message}}`. */
export function failure(status: number, code: string, message: string): Answer {
  return json(status, { error: { code, message } });
}

export function withHeader(answer: Answer, name: string, value: string): Answer {
  return { ...answer, headers: { ...answer.headers, [name]: value } };
}

/** Carries out a delivery; a client that has gone away is not an error. */
export function deliver(reply: FastifyReply, delivery: Delivery): void {
  switch (delivery.how) {
    case 'answer':
      sendAnswer(reply, delivery.answer);
      return;
    case 'reset':
      reply.hijack();
      // A plain destroy() would end the stream politely with FIN; the fault promises an RST.
      reply.raw.socket?.resetAndDestroy();
      return;
    case 'silence':
      reply.hijack();
      keepSilent(reply);
  }
}

function sendAnswer(reply: FastifyReply, answer: Answer): void {
  const raw = typeof answer.body === 'string';
  void reply
    .code(answer.status)
    .headers(answer.headers)
    .type(raw ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
    .send(raw ? answer.body : JSON.stringify(answer.body));
}

function keepSilent(reply: FastifyReply): void {
  const cap = setTimeout(() => reply.raw.destroy(), SILENCE_CAP_MS);
  reply.raw.once('close', () => clearTimeout(cap));
}
