/**
 * Activity `send`: opens the attempt that the workflow decided on, calls the provider once with the
 * stable key, records what was learned. It runs at most once per decision (maximumAttempts 1), and
 * running it again does no harm: the permit is not given twice.
 */
import { log } from '@temporalio/activity';
import { type Effect, type Finding, type Journal } from '../domain/journal';
import { type SendStep } from '../domain/step';
import { commandOf } from '../operations/registry';
import { type Permit } from '../providers/provider';
import { type IntentRow } from '../store/intent-row';
import { openAttempt, type OpenedAttempt } from '../store/open-attempt';
import { recordFinding, type NewFinding } from '../store/record-finding';
import { type Dependencies, providerFor, providerOf } from './dependencies';
import { persist } from './persist';
import { whileBeating } from './while-beating';

/** What to send, as decided from the journal that the workflow knew. */
export interface SendRequest {
  readonly intentId: string;
  readonly provider: string;
  readonly step: SendStep;
}

/** Makes the activity. It returns the journal, whether it sent or not. */
export function createSend(deps: Dependencies): (request: SendRequest) => Promise<Journal> {
  return function send(request) {
    return whileBeating(() => sendIfPermitted(deps, request));
  };
}

async function sendIfPermitted(deps: Dependencies, request: SendRequest): Promise<Journal> {
  providerOf(deps.providers, request.provider);
  deps.probe('before-attempt');
  // Read before the row is written, so that our deadline is never later than the row's.
  const startedAt = performance.now();
  // A permit is not spent on what this worker could not send: a bug, or another release's operation.
  const check = (intent: IntentRow): void => void callOf(deps, intent, request.step.effect);
  const opened = await openAttempt(deps.pool, { ...request, owner: deps.owner, check });
  if (opened.kind === 'not_opened') {
    // Held back or canceled is another matter: nothing was sent that this would have repeated.
    if (wasGiven(opened.journal, request.step)) {
      deps.metrics.redundantEffectsPrevented.inc({ provider: request.provider });
    }
    return opened.journal;
  }
  const { effect } = opened.attempt;
  const { operation, provider } = opened.intent;
  deps.metrics.attemptsOpened.inc({ operation, provider, effect });
  deps.probe('attempt-opened');
  return sendOnce(deps, opened, startedAt);
}

/** The permit that is asked for, or a later one, was given before. */
function wasGiven({ attempts }: Journal, { effect, number }: SendStep): boolean {
  return attempts.some((one) => one.effect === effect && one.number >= number);
}

async function sendOnce(
  deps: Dependencies,
  opened: OpenedAttempt,
  startedAt: number,
): Promise<Journal> {
  const { intent, attempt } = opened;
  const deadline = startedAt + intent.contract.send.budgetMs;
  const call = { provider: intent.provider, call: attempt.effect };
  const finding = await deps.metrics.timed(call, () => callProvider(deps, opened, deadline));
  deps.probe('answer-received');
  const found: NewFinding = {
    intentId: intent.id,
    effect: attempt.effect,
    attempt: attempt.number,
    source: 'response',
    finding,
    askedAt: attempt.openedAt,
  };
  const journal = await persist(
    () => recordFinding(deps.pool, found),
    (error) => {
      log.error('an answer was heard and not written down', { ...lines(found), error });
    },
  );
  deps.probe('finding-recorded');
  return journal;
}

/** What may be told of an answer outside of the tables: no text of the provider's. */
function lines({ intentId, effect, attempt, finding }: NewFinding) {
  const { kind } = finding;
  const providerId = 'providerId' in finding ? finding.providerId : null;
  return { intent: intentId, effect, attempt, finding: kind, providerId };
}

async function callProvider(
  deps: Dependencies,
  { intent, attempt, providerKey, reference }: OpenedAttempt,
  deadline: number,
): Promise<Finding> {
  return callOf(deps, intent, attempt.effect)({ providerKey, reference, deadline });
}

/** The call that an attempt would be, not made yet. Throws where there is none. */
function callOf(
  deps: Dependencies,
  intent: IntentRow,
  effect: Effect,
): (permit: Permit) => Promise<Finding> {
  const provider = providerFor(deps.providers, intent);
  const command = commandOf(deps.operations, intent);
  if (effect === 'apply') return (permit) => provider.send(command, permit);
  const { providerId } = intent;
  if (providerId === null) throw new Error('an effect without an id cannot be undone');
  return (permit) => provider.revert(command, { ...permit, providerId });
}
