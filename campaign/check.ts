/**
 * The judge of a campaign: three books must tell one story. The provider's ledger says what happened,
 * PostgreSQL what we believe, Temporal who acts next. Pure, so that each finding can be tested.
 */
import { isFinal } from '../domain/status';
import { checkDraws, checkRefusal } from './check-draws';
import { type Books, type EffectFact, type Finding, type IntentFact, LIVE } from './facts';
import { groupBy } from './group';

/** Every contradiction between the books; none is the only good result. */
export function check(books: Books): readonly Finding[] {
  const byKey = groupBy(books.intents, (one) => one.key);
  const byName = groupBy(books.effects, nameOf);
  const open = new Set(books.openWorkflows);
  const ofKey = (key: string) => byKey.get(key) ?? [];
  return [
    ...books.keys.flatMap((key) => checkKey(key, ofKey(key))),
    ...books.answers.flatMap((one) => checkAnswer(one, ofKey(one.key))),
    ...books.intents.flatMap((one) => checkIntent(one, byName.get(nameOf(one)) ?? [], open)),
    ...checkDraws(books),
    ...books.refusals.flatMap((one) => checkRefusal(one, books.intents)),
    ...(books.isDecided ? undecided(books.intents) : []),
    ...ownerless(books),
  ];
}

/**
 * What an intent and its effect have in common without any name of ours: payers and recipients are
 * unique in a campaign, and the refunds of one charge differ in amount.
 */
function nameOf({ kind, source, amount }: Pick<EffectFact, 'kind' | 'source' | 'amount'>): string {
  return kind === 'refund' ? `${kind} ${source} ${amount ?? ''}` : `${kind} ${source}`;
}

function checkKey(key: string, intents: readonly IntentFact[]): readonly Finding[] {
  if (intents.length === 0) return [{ kind: 'lost', about: `${key} has no intent` }];
  if (intents.length > 1) return [{ kind: 'identity', about: `${key} has ${intents.length}` }];
  return [];
}

function checkAnswer(
  { key, intent: told, refused }: Books['answers'][number],
  intents: readonly IntentFact[],
): readonly Finding[] {
  // A key whose request was refused is free; a twin of it may have come later, and in time.
  if (told === null && refused) return [];
  if (told === null) return [{ kind: 'lost', about: `${key} was never told its intent` }];
  if (intents.some((one) => one.id === told)) return [];
  return [{ kind: 'identity', about: `${key} was told intent ${told}, which is not its own` }];
}

function checkIntent(
  intent: IntentFact,
  effects: readonly EffectFact[],
  open: ReadonlySet<string>,
): readonly Finding[] {
  const { status, kind } = intent;
  const about = `${intent.key} (${intent.id}, ${intent.provider}, ${status})`;
  const live = effects.filter((one) => LIVE.has(one.status));
  const found: Finding[] = [];
  const say = (word: Finding['kind'], what: string) =>
    found.push({ kind: word, about: about + what });
  if (effects.length > 1) say('doubled', `: ${effects.length} of kind ${kind}`);
  if ((status === 'failed' || status === 'canceled') && live.length > 0) {
    say('false-failure', `: the ${kind} is ${live[0]?.status ?? ''}`);
  }
  if (status === 'succeeded' && live.every((one) => one.status !== 'succeeded')) {
    say('false-success', `: ${effects.length} of kind ${kind}, none succeeded`);
  }
  const other = effects.find((one) => one.amount !== intent.amount);
  if (other !== undefined) say('wrong-amount', `: ${other.amount ?? 0}, not ${intent.amount ?? 0}`);
  if (!isFinal(status) && status !== 'in_review') say('unfinished', '');
  if (!isFinal(status) && !open.has(intent.workflowId)) say('orphan', ': no open workflow');
  if (isFinal(status) && open.has(intent.workflowId)) say('orphan', ': its workflow is open');
  if (intent.discrepancy !== null) say('discrepancy', `: ${intent.discrepancy}`);
  return found;
}

function undecided(intents: readonly IntentFact[]): readonly Finding[] {
  return intents
    .filter((one) => one.status === 'in_review')
    .map(({ key, id, provider }) => ({
      kind: 'undecided',
      about: `${key} (${id}, ${provider}) is still in review`,
    }));
}

/** Effects that no intent asked for, and open workflows without an intent. */
function ownerless({ intents, effects, openWorkflows }: Books): readonly Finding[] {
  const names = new Set(intents.map(nameOf));
  const workflows = new Set(intents.map((one) => one.workflowId));
  return [
    ...effects
      .filter((one) => !names.has(nameOf(one)))
      .map((one): Finding => ({ kind: 'orphan', about: `in the ledger: ${nameOf(one)}` })),
    ...openWorkflows
      .filter((id) => !workflows.has(id))
      .map((id): Finding => ({ kind: 'orphan', about: `workflow ${id} has no intent` })),
  ];
}
