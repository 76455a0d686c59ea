/**
 * The judge of a campaign: three books must tell one story. The provider's ledger says what happened,
 * PostgreSQL what we believe, Temporal who acts next. Pure, so that each finding can be tested.
 */
import { isFinal, type Status } from '../domain/status';
import { groupBy } from './group';

/** An intent as PostgreSQL has it at the end. */
export interface IntentFact {
  readonly id: string;
  readonly key: string;
  readonly source: string;
  readonly provider: string;
  readonly status: Status;
  readonly workflowId: string;
  readonly discrepancy: string | null;
}

/** A charge in the provider's ledger. */
export interface EffectFact {
  readonly source: string;
  readonly status: string;
}

/** What is compared. */
export interface Books {
  /** The keys that callers used. */
  readonly keys: readonly string[];
  readonly intents: readonly IntentFact[];
  readonly charges: readonly EffectFact[];
  /** Workflow ids of the settlements that are open. */
  readonly openWorkflows: readonly string[];
  /** Operators have decided all they could: nothing may be in review any more. */
  readonly isDecided: boolean;
  /** Each caller's last answer: the key, and the intent that it was told. */
  readonly answers: readonly { readonly key: string; readonly intent: string | null }[];
}

/** A contradiction, in words that name the intent. */
export interface Finding {
  readonly kind:
    | 'lost'
    | 'identity'
    | 'doubled'
    | 'false-failure'
    | 'false-success'
    | 'unfinished'
    | 'undecided'
    | 'orphan'
    | 'discrepancy';
  readonly about: string;
}

/** A charge that still moves money, or may. */
const LIVE: ReadonlySet<string> = new Set(['succeeded', 'pending', 'requires_action']);

/** Every contradiction between the books; none is the only good result. */
export function check(books: Books): readonly Finding[] {
  const byKey = groupBy(books.intents, (one) => one.key);
  const bySource = groupBy(books.charges, (one) => one.source);
  const open = new Set(books.openWorkflows);
  return [
    ...books.keys.flatMap((key) => checkKey(key, byKey.get(key) ?? [])),
    ...books.answers.flatMap(({ key, intent }) => checkAnswer(key, intent, byKey.get(key) ?? [])),
    ...books.intents.flatMap((one) => checkIntent(one, bySource.get(one.source) ?? [], open)),
    ...(books.isDecided ? undecided(books.intents) : []),
    ...ownerless(books),
  ];
}

function checkKey(key: string, intents: readonly IntentFact[]): readonly Finding[] {
  if (intents.length === 0) return [{ kind: 'lost', about: `${key} has no intent` }];
  if (intents.length > 1) return [{ kind: 'identity', about: `${key} has ${intents.length}` }];
  return [];
}

function checkAnswer(
  key: string,
  told: string | null,
  intents: readonly IntentFact[],
): readonly Finding[] {
  if (told === null) return [{ kind: 'lost', about: `${key} was never told its intent` }];
  if (intents.some((one) => one.id === told)) return [];
  return [{ kind: 'identity', about: `${key} was told intent ${told}, which is not its own` }];
}

function checkIntent(
  intent: IntentFact,
  charges: readonly EffectFact[],
  open: ReadonlySet<string>,
): readonly Finding[] {
  const about = `${intent.key} (${intent.id}, ${intent.provider}, ${intent.status})`;
  const live = charges.filter((one) => LIVE.has(one.status));
  const found: Finding[] = [];
  const say = (kind: Finding['kind'], what: string) => found.push({ kind, about: about + what });
  if (charges.length > 1) say('doubled', `: ${charges.length} charges`);
  if ((intent.status === 'failed' || intent.status === 'canceled') && live.length > 0) {
    say('false-failure', `: the charge is ${live[0]?.status ?? ''}`);
  }
  if (intent.status === 'succeeded' && live.every((one) => one.status !== 'succeeded')) {
    say('false-success', `: ${charges.length} charges, none succeeded`);
  }
  if (!isFinal(intent.status) && intent.status !== 'in_review') say('unfinished', '');
  if (!isFinal(intent.status) && !open.has(intent.workflowId)) say('orphan', ': no open workflow');
  if (isFinal(intent.status) && open.has(intent.workflowId))
    say('orphan', ': its workflow is open');
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

/** Charges that no intent asked for, and open workflows without an intent. */
function ownerless({ intents, charges, openWorkflows }: Books): readonly Finding[] {
  const sources = new Set(intents.map((one) => one.source));
  const workflows = new Set(intents.map((one) => one.workflowId));
  return [
    ...charges
      .filter((one) => !sources.has(one.source))
      .map((one): Finding => ({ kind: 'orphan', about: `a charge of ${one.source}` })),
    ...openWorkflows
      .filter((id) => !workflows.has(id))
      .map((id): Finding => ({ kind: 'orphan', about: `workflow ${id} has no intent` })),
  ];
}
