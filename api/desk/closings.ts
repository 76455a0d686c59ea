/** What the desk's closing forms do: the same functions as the API, with the signed-in operator. */
import { closeDiscrepancy } from '../../store/close-discrepancy';
import { closeOrphan } from '../../store/orphan-effects';
import { closingSchema, orphanClosingSchema } from '../closing-schema';
import { type Gateway } from '../gateway';
import { Problem } from '../problem';
import { type Action, type Form, type Outcome, readForm } from './actions';

const REUSED = 'This form was sent before with another content. Look anew, and close it below.';

/** Closes an intent's discrepancy. */
export async function closeOf(gateway: Gateway, action: Action, form: Form): Promise<Outcome> {
  const read = readForm(closingSchema, form);
  if ('refused' in read) return read;
  const { decision_id: decisionId, since, ...body } = read.members;
  const closed = await closeDiscrepancy(gateway.db, {
    ...body,
    decisionId,
    since: new Date(since),
    intentId: action.id,
    operator: action.operator,
  });
  switch (closed.kind) {
    case 'no_such_intent':
      throw new Problem('not-found');
    case 'clash':
      return { refused: REUSED };
    case 'not_open':
      return { refused: closed.why };
    case 'closed':
      return { done: 'closed' };
  }
}

/** Closes an effect without an intent. */
export async function closeEffect(
  gateway: Gateway,
  operator: string,
  form: Form,
): Promise<Outcome> {
  const read = readForm(orphanClosingSchema, form);
  if ('refused' in read) return read;
  const { decision_id: decisionId, provider_id: providerId, ...body } = read.members;
  const closed = await closeOrphan(gateway.db, { ...body, decisionId, providerId, operator });
  switch (closed.kind) {
    case 'no_such_effect':
      throw new Problem('not-found');
    case 'clash':
      return { refused: REUSED };
    case 'closed_before':
      return { refused: 'Another closing of this effect came first.' };
    case 'closed':
      return { done: 'closed' };
  }
}
