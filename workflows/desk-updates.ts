/**
 * The updates by which operators act from the Web UI. It proves nobody's identity, so a decision is a
 * claim. What is asked for is recorded in PostgreSQL first, by one quick activity, and answered; the
 * loop does the rest. Validators look at the form alone: whether a decision is legal the store says,
 * under the row lock, so that a repeated one gets its answer and a refused one is on record.
 */
import { ApplicationFailure, defineUpdate, log, setHandler } from '@temporalio/workflow';
import { legalDecisions } from '../domain/decision';
import { isFinal } from '../domain/status';
import { type DecideAnswer } from '../activities/decide';
import { approveHelp, CANCEL_HELP, decideHelp, type DecideOffer, LOOK_UP_HELP } from './desk-help';
import { readCancel, readDecide, readLookUp, type Read } from './desk-forms';
import { type Run, situationOf } from './run';
import { type SettleActivities } from './settle-activities';
import { type SettleInput } from './settle-input';

const decideUpdate = defineUpdate<DecideAnswer, [unknown]>('decide');
const approveUpdate = defineUpdate<object>('approve');
const lookUpNowUpdate = defineUpdate<{ readonly message: string }, [unknown]>('lookUpNow');
const cancelUpdate = defineUpdate<{ readonly message: string }, [unknown]>('cancel');

/** What the handlers work with. */
export interface Desk {
  readonly input: SettleInput;
  readonly run: Run;
  readonly activities: SettleActivities;
}

/** Registers the four; the Web UI lists them in this order. */
export function registerUpdates(desk: Desk): void {
  registerDecide(desk);
  registerApprove(desk);
  registerLookUpNow(desk);
  registerCancel(desk);
}

/** The next decision's suggested id, and what is legal, as far as this run knows. */
export function decideOffer(input: SettleInput, run: Run): DecideOffer {
  const { observations, proposals = [] } = run.last.journal;
  const decided = observations.filter((one) => one.finding.kind === 'decided').length;
  const used = decided + proposals.length + run.refused;
  return {
    decisionId: `${input.intentId}-${used + 1}`,
    legal: legalDecisions(situationOf(input, run)),
  };
}

function registerDecide({ input, run, activities }: Desk): void {
  const help = (): string => decideHelp(decideOffer(input, run));
  const handler = async (raw: unknown): Promise<DecideAnswer> => {
    const form = formOf(readDecide(raw), help);
    const answer = await activities.decide(form);
    if (answer.state === 'refused') {
      run.refused += 1;
      throw refusal(answer.message, help());
    }
    run.grew = true;
    return answer;
  };
  setHandler(decideUpdate, handler, {
    validator: (raw) => void formOf(readDecide(raw), help),
    description:
      'Ends or resumes an unknown: {"decision_id", "operator", "decision": "applied" | "not_applied" | "retry", "evidence", "reason"}. A template to paste is in User Metadata.',
  });
}

function registerApprove({ input }: Desk): void {
  const refuse = (): never => {
    throw refusal(
      'An approval needs an authenticated person, and the Web UI proves no identity: use the API or the command line.',
      approveHelp(input.intentId),
    );
  };
  setHandler(approveUpdate, refuse, {
    validator: refuse,
    description:
      'Not from here: an approval needs the token of a second operator. Send it to see how.',
  });
}

function registerLookUpNow({ input, run }: Desk): void {
  const check = (raw: unknown): void => {
    formOf(readLookUp(raw), () => LOOK_UP_HELP);
    const why = whyNotToAsk(input, run);
    if (why !== null) throw refusal(why, LOOK_UP_HELP);
  };
  const handler = (): { readonly message: string } => {
    run.askNow = true;
    return { message: `Asking ${input.provider}; the answer is in the details.` };
  };
  setHandler(lookUpNowUpdate, handler, {
    validator: check,
    description: 'Asks the provider at once what became of it. No data needed. Harmless.',
  });
}

function whyNotToAsk({ contract, provider }: SettleInput, { last }: Run): string | null {
  if (isFinal(last.journal.status)) return 'The intent has ended: there is nothing to ask.';
  if (contract.lookUp === null) {
    return `${provider} cannot be asked: look into its own pages, then send the update "decide".`;
  }
  // A run that has just taken over from another knows nothing yet: it asks once it has read.
  return last.isRead && last.journal.attempts.length === 0
    ? 'Nothing was sent yet: there is nothing to ask.'
    : null;
}

function registerCancel({ run, activities }: Desk): void {
  const help = (): string => CANCEL_HELP;
  const handler = async (raw: unknown): Promise<{ readonly message: string }> => {
    const { operator } = formOf(readCancel(raw), help);
    const status = await activities.cancel(`${operator} (claimed in the Web UI)`);
    run.grew = true;
    if (status === 'succeeded' || status === 'failed') {
      throw refusal(`Too late: the intent has ${status}. What succeeded can be refunded.`, '');
    }
    return { message: 'Recorded: nothing is sent any more, and what was applied is undone.' };
  };
  setHandler(cancelUpdate, handler, {
    validator: (raw) => void formOf(readCancel(raw), help),
    description: 'Cancels: {"operator"}. Nothing is sent any more; what was applied is undone.',
  });
}

function formOf<Form>(read: Read<Form>, help: () => string): Form {
  if (read.kind === 'read') return read.form;
  // A refused form leaves no event in the history: this line is its only trace.
  log.warn('an operator’s form was refused', { why: read.why });
  throw refusal(read.why, help());
}

/** The Web UI shows the message as a sentence and the stack below it, line by line. */
function refusal(message: string, help: string): ApplicationFailure {
  const failure = ApplicationFailure.nonRetryable(message, 'Refused');
  failure.stack = help;
  return failure;
}
