/** Requests to a gateway over a store of answers, and what came of them. */
import { type InjectOptions } from 'fastify';
import { paymentCharge } from '../../operations/payment-charge';
import { type Answers, FINGERPRINTS, gatewayUnderTest } from './gateway-under-test';
import { intentRow } from './intent-row';

export const PATH = '/v1/intents/payment.charge';
export const BODY = { amount: 1000, currency: 'EUR', source: 'card_1', reference: 'order-1' };
/** The intent of that body as recorded, and as settled. */
export const RECORDED = intentRow({
  fingerprint: FINGERPRINTS.of(paymentCharge, BODY),
  fingerprintVersion: FINGERPRINTS.present,
});
export const SUCCEEDED = { ...RECORDED, status: 'succeeded' as const, nextStepAt: null };

/** The store claims the identity; the intent succeeds. */
export const claimed = {
  'claim-intent': [RECORDED],
  'read-intent': [SUCCEEDED],
};
/** The store knows the identity, settled. */
export const repeated = { 'find-intent': [SUCCEEDED] };

/** A charge that does not wait. */
export const charge = (changes: InjectOptions = {}): InjectOptions => ({
  method: 'POST',
  url: PATH,
  payload: JSON.stringify(BODY),
  ...changes,
  headers: {
    authorization: 'Bearer token',
    'idempotency-key': 'k1',
    'content-type': 'application/json',
    prefer: 'respond-async',
    ...changes.headers,
  },
});

/** One exchange: the answer, what the store was asked, which workflows were started. */
export async function answer(options: InjectOptions, answers: Answers = claimed) {
  const { app, asked, started } = gatewayUnderTest(answers);
  const { statusCode: status, headers, payload } = await app.inject(options);
  const body = (payload === '' ? {} : JSON.parse(payload)) as Record<string, unknown>;
  const problem = typeof body['type'] === 'string' ? body['type'].split('/').at(-1) : undefined;
  return { status, headers, body, problem, asked, started };
}
