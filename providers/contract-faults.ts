/**
 * What is wrong with a contract, in one sentence a fault; checked when a program starts, so that a
 * contract under which the rules could not keep their promise never meets an intent. Nothing here
 * knows a provider: `domain/contract.ts` says what the numbers mean, the decision rules what they are
 * for. A contract that is useless but safe is none: a window in which no repeat fits, a look-up that
 * forgets before its misses prove anything, patience that ends before the proof time. Those lead to a
 * person early, never to a second effect, and a trial may want just that.
 */
import {
  LONGEST_BUDGET_MS,
  type LookUpContract,
  type NameContract,
  type ProviderContract,
} from '../domain/contract';
import { providerKey, providerReference } from '../domain/identity';

/** The longest names that we ever send: any intent, and more generations than any attempt cap. */
const SOME_INTENT = '00000000-0000-7000-8000-000000000000';
const LAST_GENERATION = 99;

/** Shorter than this a call could not even be begun (providers/transport.ts). */
const SHORTEST_BUDGET_MS = 100;

/** All faults of one contract; none where it is sound. */
export function contractFaults(contract: ProviderContract): readonly string[] {
  return [
    ...nameFaults(contract),
    ...sendFaults(contract),
    ...keyFaults(contract),
    ...(contract.lookUp === null ? [] : lookUpFaults(contract.lookUp)),
    ...wholeFaults({ patienceMs: contract.patienceMs }),
    ...jitterFaults(contract),
  ];
}

function nameFaults({ key, reference, lookUp }: ProviderContract): readonly string[] {
  const keys = [providerKey(SOME_INTENT, 'revert', LAST_GENERATION)];
  const references = [providerReference(SOME_INTENT, 'revert')];
  const faults = [
    ...(key === null ? [] : roomFaults('key', key, keys)),
    ...(reference === null ? [] : roomFaults('reference', reference, references)),
  ];
  if (lookUp?.by === 'key' && key === null) {
    faults.push('The look-up is by key, and the contract has no key.');
  }
  if (lookUp?.by === 'reference' && reference === null) {
    faults.push('The look-up is by reference, and the request has no room for one.');
  }
  return faults;
}

function roomFaults(what: string, room: NameContract, ours: readonly string[]): string[] {
  const allowed = classOf(room.alphabet);
  if (allowed === null) return [`${what}.alphabet is not the inside of a character class.`];
  return ours.flatMap((name) => [
    ...(name.length > room.maxBytes
      ? [`${what}.maxBytes is ${room.maxBytes}, and our ${what} has ${name.length} bytes.`]
      : []),
    ...(allowed.test(name)
      ? []
      : [`${what}.alphabet [${room.alphabet}] lacks characters of our ${what} "${name}".`]),
  ]);
}

/** Null where the text would close the class, or is none. */
function classOf(alphabet: string): RegExp | null {
  try {
    return alphabet.includes(']') ? null : new RegExp(`^[${alphabet}]*$`, 'u');
  } catch {
    // What the engine cannot read is a fault of the contract, which the caller words.
    return null;
  }
}

function sendFaults({ send }: ProviderContract): readonly string[] {
  const { budgetMs, horizonMs, mayRepeat } = send;
  const faults = wholeFaults({ 'send.budgetMs': budgetMs, 'send.horizonMs': horizonMs });
  if (budgetMs < SHORTEST_BUDGET_MS || budgetMs > LONGEST_BUDGET_MS) {
    faults.push(
      `send.budgetMs is ${budgetMs}; it must be ${SHORTEST_BUDGET_MS} to ${LONGEST_BUDGET_MS}, so that a stop of the worker cuts no send off.`,
    );
  }
  if (mayRepeat && horizonMs === 0) {
    faults.push('send.horizonMs is 0, and something on the way may repeat requests.');
  }
  return faults;
}

function keyFaults({ key }: ProviderContract): readonly string[] {
  return typeof key?.windowMs === 'number' ? wholeFaults({ 'key.windowMs': key.windowMs }) : [];
}

function lookUpFaults(lookUp: LookUpContract): readonly string[] {
  const { lagMs, scheduleMs, seesBackMs, onReadMs } = lookUp;
  const faults = wholeFaults({
    'lookUp.lagMs': lagMs,
    ...(typeof seesBackMs === 'number' && { 'lookUp.seesBackMs': seesBackMs }),
  });
  if (
    scheduleMs.length === 0 ||
    scheduleMs.some((pause) => !Number.isInteger(pause) || pause < 1)
  ) {
    faults.push('lookUp.scheduleMs must hold at least one pause, each a whole number above 0.');
  }
  if (onReadMs !== undefined && !(Number.isSafeInteger(onReadMs) && onReadMs > 0)) {
    faults.push(`lookUp.onReadMs is ${onReadMs}; it must be whole milliseconds above 0.`);
  }
  if (scheduleMs.some((pause, index) => pause < (scheduleMs[index - 1] ?? 0))) {
    faults.push('lookUp.scheduleMs must not become shorter: its last pause is the slowest step.');
  }
  return faults;
}

function jitterFaults({ jitterPercent: percent = 0 }: ProviderContract): readonly string[] {
  const isPercentage = Number.isInteger(percent) && percent >= 0 && percent <= 100;
  return isPercentage ? [] : [`jitterPercent is ${percent}; it must be a whole number, 0 to 100.`];
}

function wholeFaults(times: Readonly<Record<string, number>>): string[] {
  return Object.entries(times)
    .filter(([, time]) => !Number.isSafeInteger(time) || time < 0)
    .map(([name, time]) => `${name} is ${time}; it must be whole milliseconds, 0 or more.`);
}
