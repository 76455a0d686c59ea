// The fault programme's vocabulary: which behaviours exist, on which calls they make sense, and how
// a programmed fault is read. What each behaviour does is in create-behaviours and query-behaviours.

import { randomUUID } from 'node:crypto';
import { z } from 'zod';

import { readShape, Refusal } from './shape';
import { type CallKind, PROVIDERS } from './words';

/** Behaviours that suit every call. A query has no effect, so before and after are one there. */
const COMMON_DOS = [
  'ok',
  'slow',
  'hang',
  'timeout-before-effect',
  'timeout-after-effect',
  'reset-before-effect',
  'reset-after-effect',
  'http-500-no-effect',
  'http-500-after-effect',
  'http-429',
  'http-401',
  'garbage',
] as const;
const MONEY_DOS = [
  'decline',
  'http-500-stored',
  'replay-stored-error',
  'http-409-key-in-use',
  'forget-keys',
  'http-400-already-succeeded',
  'http-400-already-captured',
  'late-effect',
] as const;
const QUERY_DOS = [
  'found',
  'not-found',
  'lagging',
  'http-403',
  'timeout',
  'wrong-amount',
  'twice',
] as const;

type CommonDo = (typeof COMMON_DOS)[number];
export type CreateDo = CommonDo | (typeof MONEY_DOS)[number] | 'pending' | 'requires-action';
export type QueryDo = CommonDo | (typeof QUERY_DOS)[number];

/** Every behaviour by the call it may be programmed on; a query takes `status:<word>` as well. */
export const DOS: Readonly<Record<CallKind | 'any', readonly string[]>> = {
  any: COMMON_DOS,
  charge: [...COMMON_DOS, ...MONEY_DOS, 'pending', 'requires-action'],
  refund: [...COMMON_DOS, ...MONEY_DOS, 'pending'],
  void: [...COMMON_DOS, ...MONEY_DOS],
  message: [...COMMON_DOS, ...MONEY_DOS],
  query: [...COMMON_DOS, ...QUERY_DOS],
};

const STATUS_DO = /^status:\w{1,40}$/;
/** A week: far beyond any test, and safely below what a Node timer can hold. */
const LONGEST_MS = 7 * 24 * 3600_000;
const duration = z.int().min(0).max(LONGEST_MS);

const shape = z.strictObject({
  on: z.enum(['charge', 'refund', 'void', 'message', 'query', 'any']),
  do: z.string(),
  times: z.union([z.int().min(1), z.literal('always')]).default(1),
  delay_ms: duration.optional(),
  visible_after_ms: duration.optional(),
  retry_after_s: z.int().min(0).max(86_400).optional(),
  emit: z.enum(['webhook-before-response', 'webhook-with-response']).optional(),
  match: z
    .strictObject({
      provider: z.enum(PROVIDERS),
      amount: z.int(),
      source: z.string(),
      reference: z.string(),
      key: z.string(),
    })
    .partial()
    .optional(),
});

/** A programmed fault in the shape it was given, with an id and what is left of `times`. */
export type Fault = Readonly<z.output<typeof shape>> & { readonly id: string };

const ALLOWED =
  'Allowed: on (charge, refund, void, message, query, any), do, times (a number from 1, or "always"), ' +
  'delay_ms, visible_after_ms, retry_after_s, emit (webhook-before-response, ' +
  'webhook-with-response), match {provider, amount, source, reference, key}.';

/** Reads a fault as posted. Throws `Refusal` with a sentence of what is allowed. */
export function readFault(given: unknown): Fault {
  const fault = readShape(shape, given, ALLOWED);
  const known = DOS[fault.on].includes(fault.do);
  if (!known && !(fault.on === 'query' && STATUS_DO.test(fault.do))) {
    const also = fault.on === 'query' ? ', status:<word>' : '';
    throw new Refusal(
      `do: "${fault.do}" does not fit on "${fault.on}". Allowed: ${DOS[fault.on].join(', ')}${also}.`,
    );
  }
  if (fault.on === 'query' && (fault.emit !== undefined || fault.visible_after_ms !== undefined)) {
    throw new Refusal('A query has no effect, so emit and visible_after_ms do not fit it.');
  }
  return { ...fault, id: `fault_${randomUUID()}` };
}

/** `delay_ms`, or what `slow` and `late-effect` need to be themselves when it is left out. */
export function delayOf(fault: Fault | null): number {
  if (fault === null) return 0;
  const preset = fault.do === 'slow' || fault.do === 'late-effect' ? 1000 : 0;
  return fault.delay_ms ?? preset;
}
