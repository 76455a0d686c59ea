/**
 * What became of a charge, by our reference. Stripe's list of PaymentIntents is consistent but cannot
 * be filtered by metadata: it is paged through the time in which we may have sent. Search can be asked
 * by metadata but lags: its hits count, its misses do not. Either gives ids only; what is found is then
 * read by its id.
 */
import { z } from 'zod';
import { type Finding } from '../../domain/journal';
import { type StripeClient } from './client';
import { type Expected, intentFinding } from './mapping';
import { isUndone } from './refund-mapping';
import { REFERENCE_NAME } from './request';
import { type Inquiry } from '../provider';
import { type HttpResult } from '../transport';

/** What is asked, and of whom. */
export interface Question extends Expected {
  readonly client: StripeClient;
  readonly inquiry: Inquiry;
}

/** `created` is Stripe's clock in whole seconds, our times are the database's. */
const SKEW_MS = 60_000;
/** How long after the send deadline an execution may still create its object. */
const LATEST_MS = 90_000;
const PAGE = 100;
/** 1,000 payments in some three minutes; on a busier account the list alone decides nothing. */
const MOST_PAGES = 10;
/** Of the time for the whole question: a long list leaves enough for Search, whose hit counts as much. */
const LISTING_SHARE = 0.6;
/** One key makes one PaymentIntent: more than two hits change nothing in what is said. */
const MOST_READ = 4;

const pageSchema = z.object({
  has_more: z.boolean(),
  data: z.array(z.object({ id: z.string(), metadata: z.record(z.string(), z.string()) })),
});

/** Ids that carry our reference, and whether the whole time was seen; or why nothing was learned. */
type Hits =
  | { readonly kind: 'seen'; readonly ids: readonly string[]; readonly complete: boolean }
  | { readonly kind: 'failed'; readonly why: string };

/** Asks, and puts all hits together into one finding. */
export async function lookUpCharge(question: Question): Promise<Finding> {
  const listed = await list(question);
  if (listed.kind === 'seen' && listed.ids.length > 0) return readAll(listed.ids, question);
  const searched = await search(question);
  if (searched.kind === 'seen' && searched.ids.length > 0) return readAll(searched.ids, question);
  if (listed.kind === 'failed') return unknown(listed.why);
  if (listed.complete) return { kind: 'absent' };
  return unknown(`look-up: more than ${PAGE * MOST_PAGES} payments at that time`);
}

/** Newest first, to the end of the time even after a hit: there may be two. */
async function list({ client, inquiry, reference }: Question): Promise<Hits> {
  const created = {
    gte: Math.floor((inquiry.sent.from - SKEW_MS) / 1000),
    lte: Math.ceil((inquiry.sent.until + LATEST_MS + SKEW_MS) / 1000),
  };
  const now = performance.now();
  const deadline = now + (inquiry.deadline - now) * LISTING_SHARE;
  const ids: string[] = [];
  let last: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const after = last === undefined ? {} : { starting_after: last };
    const result = await client.ask(deadline, (stripe) =>
      stripe.paymentIntents.list({ created, limit: PAGE, ...after }),
    );
    const shown = pageOf(result);
    if (typeof shown === 'string') return { kind: 'failed', why: `look-up: ${shown}` };
    ids.push(...idsOf(shown.data, reference));
    last = shown.data.at(-1)?.id;
    if (!shown.has_more || last === undefined) return { kind: 'seen', ids, complete: true };
  }
  return { kind: 'seen', ids, complete: false };
}

/** Where Search is not to be had (docs.stripe.com/search: not in India), it simply shows nothing. */
async function search({ client, inquiry, reference }: Question): Promise<Hits> {
  const result = await client.ask(inquiry.deadline, (stripe) =>
    stripe.paymentIntents.search({
      query: `metadata["${REFERENCE_NAME}"]:"${reference}"`,
      limit: PAGE,
    }),
  );
  const shown = pageOf(result);
  if (typeof shown === 'string') return { kind: 'failed', why: `search: ${shown}` };
  return { kind: 'seen', ids: idsOf(shown.data, reference), complete: false };
}

type Page = z.infer<typeof pageSchema>;

function pageOf(result: HttpResult): Page | string {
  if (result.kind !== 'answer') return result.why;
  if (result.status !== 200) return `answer ${result.status}`;
  return pageSchema.safeParse(result.json).data ?? 'an unreadable list';
}

function idsOf(data: Page['data'], reference: string): readonly string[] {
  return data.filter((one) => one.metadata[REFERENCE_NAME] === reference).map(({ id }) => id);
}

async function readAll(ids: readonly string[], question: Question): Promise<Finding> {
  const findings: Finding[] = [];
  for (const id of ids.slice(0, MOST_READ)) findings.push(await read(id, question));
  // A doubt about one of several is a doubt about all.
  const doubt = findings.find(({ kind }) => kind === 'unknown' || kind === 'conflict');
  if (doubt !== undefined) return doubt;
  // A decline beside a live effect belongs to another request; the effect is what counts.
  const live = findings.filter(({ kind }) => kind !== 'rejected');
  if (live.length > 1) {
    const what = `${live.length} effects: ${ids.slice(0, 2).join()}`;
    return { kind: 'conflict', what, several: true };
  }
  return live[0] ?? findings[0] ?? unknown('look-up: nothing readable');
}

async function read(id: string, question: Question): Promise<Finding> {
  const { client, inquiry } = question;
  const result = await client.ask(inquiry.deadline, (stripe) =>
    stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }),
  );
  if (result.kind !== 'answer' || result.status !== 200) {
    return unknown(`look-up: ${result.kind === 'answer' ? `answer ${result.status}` : result.why}`);
  }
  const finding = intentFinding(result.json, question);
  if (finding.kind !== 'applied' || !isRefundBegun(result.json)) return finding;
  return undoneOrApplied(finding, question);
}

const refundedSchema = z.object({ latest_charge: z.object({ amount_refunded: z.int().min(1) }) });

function isRefundBegun(shown: unknown): boolean {
  return refundedSchema.safeParse(shown).success;
}

/** A refund counts when it has succeeded: one under way may still fail and leave the charge alive. */
async function undoneOrApplied(
  applied: Extract<Finding, { kind: 'applied' }>,
  { client, inquiry, command }: Question,
): Promise<Finding> {
  const { providerId } = applied;
  const result = await client.ask(inquiry.deadline, (stripe) =>
    stripe.refunds.list({ payment_intent: providerId, limit: PAGE }),
  );
  const json = result.kind === 'answer' && result.status === 200 ? result.json : undefined;
  const undone = isUndone(json, { command, providerId });
  if (undone === null) return unknown('look-up: the refunds cannot be read');
  return undone ? { kind: 'reverted', providerId } : applied;
}

function unknown(why: string): Finding {
  return { kind: 'unknown', why, frozen: false };
}
