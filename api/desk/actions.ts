/**
 * What the desk's forms do: the same functions as the API, with the signed-in operator as the person. A
 * form that was sent leads back to the page, so that a reload sends nothing.
 */
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type z } from 'zod';
import { approveDecision } from '../../store/approve-decision';
import { type IntentRow } from '../../store/intent-row';
import { readIntent } from '../../store/read-intents';
import { recordDecision } from '../../store/record-decision';
import { requestCancel } from '../../store/request-cancel';
import { decisionSchema } from '../decision-schema';
import { type Gateway } from '../gateway';
import { Problem } from '../problem';
import { type Notice } from './notice';

/** A form's fields. */
export type Form = Readonly<Record<string, string | undefined>>;

/** Which intent, and who acts. */
export interface Action {
  readonly id: string;
  readonly operator: string;
}

/** Sentences by which a page tells what came of a form; their names travel in the address. */
const DONE = {
  recorded: 'Recorded, and in effect.',
  waiting: 'Recorded. It takes effect when our own look-up agrees, or when the time has come.',
  proposed: 'Proposed. Another operator must approve it.',
  approved: 'Approved.',
  closed: 'Closed, and on record.',
  asked: 'The provider is being asked; the answer appears below.',
  canceling: 'The cancel is recorded. Nothing is sent any more; what was applied is undone.',
} as const;

type Done = keyof typeof DONE;

/** The notice of an address; null where there is none. */
export function noticeOf(name: unknown): Notice | null {
  const text = Object.entries(DONE).find(([known]) => known === name)?.[1];
  return text === undefined ? null : { tone: 'done', text };
}

/** What became of a form. */
export type Outcome = { readonly done: Done } | { readonly refused: string };

/** Answers a form: back to its page, or the page with the refusal. */
export async function answer(
  reply: FastifyReply,
  { path, outcome }: { readonly path: string; readonly outcome: Outcome },
  showRefusal: (notice: Notice) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  if ('done' in outcome) return reply.redirect(`${path}?notice=${outcome.done}`, 303);
  return showRefusal({ tone: 'alert', text: outcome.refused });
}

/** Records a decision. */
export async function decide(gateway: Gateway, action: Action, form: Form): Promise<Outcome> {
  const override = form['override'] === 'true';
  const read = readForm(decisionSchema, { ...form, override });
  if ('refused' in read) return read;
  const { decision_id: decisionId, ...body } = read.members;
  const decided = await recordDecision(gateway.db, {
    ...body,
    decisionId,
    intentId: action.id,
    operator: action.operator,
    authenticated: true,
  });
  if (decided.kind === 'no_such_intent') throw new Problem('not-found');
  if (decided.kind === 'clash') {
    return { refused: 'This form was sent before with another content. Decide anew below.' };
  }
  const { decision, approved, intent } = decided;
  if (decision.state === 'refused') return { refused: decision.refusalDetail ?? 'Not legal.' };
  await gateway.wakeWorkflow(intent);
  if (decision.state === 'proposed' && !approved) return { done: 'proposed' };
  return { done: isOpen(intent) ? 'waiting' : 'recorded' };
}

function isOpen({ status }: IntentRow): boolean {
  return status === 'unknown' || status === 'in_review';
}

/** Approves what another operator proposed. */
export async function approve(
  gateway: Gateway,
  action: Action,
  decisionId: string,
): Promise<Outcome> {
  const { id: intentId, operator } = action;
  const approved = await approveDecision(gateway.db, { intentId, decisionId, operator });
  switch (approved.kind) {
    case 'no_such_decision':
      throw new Problem('not-found');
    case 'refused':
      return { refused: approved.refusal.detail };
    case 'approved':
      await gateway.wakeWorkflow(approved.intent);
      return { done: 'approved' };
  }
}

/** Has the provider asked at once. */
export async function askNow(gateway: Gateway, { id }: Action): Promise<Outcome> {
  const asked = await gateway.lookUpNow(await existing(gateway, id));
  switch (asked.kind) {
    case 'asking':
      return { done: 'asked' };
    case 'refused':
      return { refused: asked.why };
    case 'unreachable':
      return { refused: 'Temporal or the worker did not answer. Nobody was asked; try again.' };
  }
}

/** Requests a cancel on behalf of the tenant. */
export async function cancel(gateway: Gateway, { id, operator }: Action): Promise<Outcome> {
  const { tenant } = await existing(gateway, id);
  await requestCancel(gateway.db, { id, tenant, by: `operator ${operator}` });
  const intent = await existing(gateway, id);
  if (intent.cancelRequestedAt === null) {
    return { refused: `Too late: it has ended ${intent.status}.` };
  }
  await gateway.wakeWorkflow(intent);
  return { done: 'canceling' };
}

/** Any tenant's intent; throws `not-found`. */
export async function existing({ db }: Pick<Gateway, 'db'>, id: string): Promise<IntentRow> {
  const intent = await readIntent(db, id, 'every-tenant');
  if (intent === null) throw new Problem('not-found');
  return intent;
}

/** The fields of a form, each once: a repeated one would be a list. */
export function fieldsOf({ body }: FastifyRequest): Form {
  const fields = typeof body === 'object' && body !== null ? body : {};
  return Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  );
}

/** What a schema makes of a form's fields but its proof; or what is wrong with the first that is. */
export function readForm<Members>(
  schema: z.ZodType<Members>,
  fields: Readonly<Record<string, unknown>>,
): { readonly members: Members } | { readonly refused: string } {
  const { form_proof, ...members } = fields;
  if (form_proof === undefined) throw new Error('a form without its proof got this far');
  const read = schema.safeParse(members);
  if (read.success) return { members: read.data };
  const [issue] = read.error.issues;
  return { refused: `${issue?.path.join('.') ?? 'The form'}: ${issue?.message ?? 'not valid'}.` };
}
