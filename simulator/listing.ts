// The effects of a span of time, a page at a time, oldest first: what a client reconciles its own
// books with. Honest always: no fault meets it, but it lags like every look-up.

import { z } from 'zod';

import { answered, type Delivery, failure, json } from './answer';
import { type ProviderContract } from './contract';
import { type Ledger } from './ledger';
import { asIndexed, isVisible } from './queries';
import { type Effect } from './records';
import { chargeBody, childBody } from './render';
import { readShape, Refusal } from './shape';
import { type EffectKind } from './words';

/** What is listed: one kind at one provider. */
export interface Shelf {
  readonly ledger: Ledger;
  readonly contract: ProviderContract;
  readonly kind: Exclude<EffectKind, 'void'>;
}

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const shape = z.strictObject({
  created_after: time,
  created_before: time,
  limit: z.coerce.number().int().min(1).max(100).default(100),
  cursor: z
    .string()
    .regex(/^\d{1,15}_[a-z]{2}_[0-9a-f]+$/, 'not a cursor of ours')
    .optional(),
});
type Span = z.output<typeof shape>;

const ALLOWED =
  'Required: reference, or created_after and created_before (ISO 8601). Allowed with these: limit (1 to 100), cursor.';

/** Whether the query asks for a span of time. */
export function isListing(search: URLSearchParams): boolean {
  return search.has('created_after') || search.has('created_before');
}

/** Answers with `{data, next_cursor}`, effects created at or after the first and before the second. */
export function answerListing(shelf: Shelf, search: URLSearchParams): Delivery {
  try {
    const span = readShape(shape, Object.fromEntries(search), ALLOWED);
    return answered(json(200, pageOf(shelf, span)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return answered(failure(400, 'invalid_request', error.message));
  }
}

function pageOf({ ledger, contract, kind }: Shelf, span: Span) {
  const nowMs = Date.now();
  const page: Effect[] = [];
  for (const effect of after(ledger.since(contract.name, startOf(span)), span.cursor)) {
    if (effect.createdAtMs >= span.created_before) break;
    if (effect.kind !== kind || effect.status === 'declined') continue;
    if (!isVisible(effect, contract, nowMs)) continue;
    if (page.length === span.limit)
      return { data: page.map(bodyAt(nowMs)), next_cursor: end(page) };
    page.push(effect);
  }
  return { data: page.map(bodyAt(nowMs)), next_cursor: null };
}

function startOf({ created_after, cursor }: Span): number {
  return cursor === undefined ? created_after : Number.parseInt(cursor, 10);
}

/** Goes on behind the effect that the cursor names. */
function* after(effects: Iterable<Effect>, cursor: string | undefined): Iterable<Effect> {
  let reached = cursor === undefined;
  for (const effect of effects) {
    if (reached) yield effect;
    else reached = cursorOf(effect) === cursor;
  }
}

function cursorOf({ createdAtMs, id }: Effect): string {
  return `${createdAtMs}_${id}`;
}

function end(page: readonly Effect[]): string | null {
  const last = page.at(-1);
  return last === undefined ? null : cursorOf(last);
}

function bodyAt(nowMs: number) {
  return (effect: Effect) =>
    effect.kind === 'refund' ? childBody(effect) : chargeBody(asIndexed(effect, nowMs));
}
