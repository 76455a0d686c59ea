/** What an operator reads when the gateway refuses or does not answer: what, why, and what to do. */
import { NoAnswerError, ProblemError } from '../../client/errors';
import { json } from '../output';
import { type DeskSurroundings } from '../program';
import { EXIT, type ExitCode } from '../exit-codes';
import { Refusal } from '../refusal';
import { printable } from './text';

/** What a command asks of the gateway. */
export interface Asking {
  readonly surroundings: DeskSurroundings;
  /** Whether a refusal is told as the gateway's own document, too. */
  readonly asJson: boolean | undefined;
  readonly intent?: string;
  /** What to add where it may have been recorded although no answer came. */
  readonly repeat?: string;
}

type Gateway = ReturnType<DeskSurroundings['gateway']>;

/** Asks, and turns every way to fail into a {@link Refusal}. */
export async function ask<Answer>(
  asking: Asking,
  question: (client: Gateway['client']) => Promise<Answer>,
): Promise<Answer> {
  const gateway = asking.surroundings.gateway();
  try {
    return await question(gateway.client);
  } catch (error) {
    if (error instanceof ProblemError) throw refused(error, asking);
    throw unanswered(error, asking, gateway.address);
  }
}

function refused(error: ProblemError, { surroundings, asJson, intent, repeat }: Asking): Refusal {
  const { body, status, problem } = error;
  if (asJson) surroundings.write(json(body));
  const isForNow = status === 429 || status >= 500;
  const faults = (body.errors ?? []).map((one) => `  ${one.pointer.slice(1)}: ${one.detail}`);
  const todo = [
    TO_DO[problem]?.(intent ?? '<intent>') ?? (isForNow ? 'Run the same again in a moment.' : null),
    isForNow ? repeat : null,
  ].filter((one) => one !== null && one !== undefined);
  const lines = [
    `Refused: ${body.title}`,
    ...(body.detail === undefined ? [] : [body.detail]),
    ...faults,
    ...(todo.length === 0 ? [] : [`What to do: ${todo.join(' ')}`]),
  ];
  return new Refusal(printable(lines.join('\n')), codeOf(status, isForNow));
}

function codeOf(status: number, isForNow: boolean): ExitCode {
  if (status === 401 || status === 403) return EXIT.notAllowed;
  return isForNow ? EXIT.noAnswer : EXIT.refused;
}

/** By the problem's name; the intent is the one that the command was about. */
const TO_DO: Readonly<Record<string, (intent: string) => string>> = {
  unauthenticated: () =>
    'put a live operator’s token into RESOLUTE_OPERATOR_TOKEN (resolute operator create, token rotate).',
  forbidden: () => 'put an operator’s token, not a tenant’s, into RESOLUTE_OPERATOR_TOKEN.',
  'not-found': () => 'look for the id with resolute list.',
  'too-late': (intent) => `nothing; resolute explain ${intent} shows how it ended.`,
  'decision-not-legal': (intent) =>
    `resolute explain ${intent} shows what is allowed; a new decision needs a new id.`,
  'decision-id-reused': (intent) =>
    `resolute explain ${intent} shows what was decided; leave --decision-id out for a new one.`,
  'not-open': () =>
    'nothing, where it is closed; resolute list --concern discrepancy and resolute orphans show what is open.',
  'look-up-not-possible': (intent) =>
    `resolute show ${intent} shows the next step and what may be decided.`,
};

function unanswered(error: unknown, { repeat }: Asking, address: string): Refusal {
  const why = error instanceof NoAnswerError ? error.cause : error;
  const tries = error instanceof NoAnswerError ? ` in ${error.tries} tries` : '';
  const lines = [
    `No answer of the gateway at ${address}${tries}: ${reasonOf(why)}.`,
    'What to do: see that it is there and that RESOLUTE_API_URL is its address; then run the same again.',
    ...(repeat === undefined ? [] : [repeat]),
  ];
  return new Refusal(printable(lines.join('\n')), EXIT.noAnswer);
}

/** `fetch` hides the reason below its own "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `HTTP ${String(error)}`;
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = 'code' in error ? String(error.code) : '';
  return (error.message === '' ? code : error.message).replace(/\.$/, '');
}
