/**
 * What became of a refund, by our reference: the list of the refunds of its PaymentIntent, paged to its
 * end even after a hit, since there may be two. A list shows whole refunds, so nothing is read after it.
 */
import { z } from 'zod';
import { type Finding } from '../../domain/journal';
import { type Inquiry } from '../provider';
import { type StripeClient } from './client';
import { unknown } from './mapping';
import { type ExpectedRefund, shownRefund } from './refund-mapping';
import { REFERENCE_NAME } from './request';

/** What is asked, and of whom. */
export interface RefundQuestion extends ExpectedRefund {
  readonly client: StripeClient;
  readonly inquiry: Inquiry;
}

const PAGE = 100;
/** A charge with more refunds than this is none of ours. */
const MOST_PAGES = 10;

const pageSchema = z.object({
  has_more: z.boolean(),
  data: z.array(
    z.looseObject({
      id: z.string(),
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
  ),
});
type Page = z.infer<typeof pageSchema>;

/** Asks, and puts all hits together into one finding. */
export async function lookUpRefund(question: RefundQuestion): Promise<Finding> {
  const findings: Finding[] = [];
  let last: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const shown = await ask(question, last);
    if (typeof shown === 'string') return unknown(`look-up: ${shown}`);
    const hits = shown.data.filter((one) => one.metadata?.[REFERENCE_NAME] === question.reference);
    findings.push(...hits.map((one) => shownRefund(one, question)));
    last = shown.data.at(-1)?.id;
    if (!shown.has_more || last === undefined) return together(findings);
  }
  return unknown(`look-up: more than ${PAGE * MOST_PAGES} refunds of this charge`);
}

async function ask(
  { client, command, inquiry }: RefundQuestion,
  last: string | undefined,
): Promise<Page | string> {
  const after = last === undefined ? {} : { starting_after: last };
  const result = await client.ask(inquiry.deadline, (stripe) =>
    stripe.refunds.list({ payment_intent: command.charge, limit: PAGE, ...after }),
  );
  if (result.kind !== 'answer') return result.why;
  if (result.status !== 200) return `answer ${result.status}`;
  return pageSchema.safeParse(result.json).data ?? 'an unreadable list';
}

function together(findings: readonly Finding[]): Finding {
  // A doubt about one of several is a doubt about all.
  const doubt = findings.find(({ kind }) => kind === 'unknown' || kind === 'conflict');
  if (doubt !== undefined) return doubt;
  const live = findings.filter(({ kind }) => kind !== 'rejected');
  if (live.length > 1) {
    const what = `${live.length} refunds under one reference`;
    return { kind: 'conflict', what, several: true };
  }
  return live[0] ?? findings[0] ?? { kind: 'absent' };
}
