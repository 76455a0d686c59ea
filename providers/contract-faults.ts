/**
 * What is wrong with a contract, in one sentence a fault; checked when a program starts, so that a
 * contract under which the rules could not keep their promise never meets an intent. Nothing here
 * knows a provider: `domain/contract.ts` says what the numbers mean, the decision rules what they are
 * for.
 */
import {
  FENCE_GUARD_MS,
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
    ...(contract.lookUp === null ? [] : lookUpFaults(contract, contract.lookUp)),
    ...patienceFaults(contract),
    ...jitterFaults(contract),
  ];
}

/** Budget, what our process may be late, and how long a request may still be on its way. */
function flightOf({ send }: ProviderContract): number {
  return send.budgetMs + FENCE_GUARD_MS + send.horizonMs;
}

function proofOf(contract: ProviderContract): number {
  return flightOf(contract) + (contract.lookUp?.lagMs ?? 0);
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

function keyFaults(contract: ProviderContract): readonly string[] {
  const windowMs = contract.key?.windowMs;
  if (typeof windowMs !== 'number') return [];
  const flight = flightOf(contract);
  const faults = wholeFaults({ 'key.windowMs': windowMs });
  if (windowMs <= flight) {
    faults.push(
      `key.windowMs is ${windowMs}; it must be longer than budget, guard and horizon together (${flight}), or no repeat could ever be sent.`,
    );
  }
  return faults;
}

function lookUpFaults(contract: ProviderContract, lookUp: LookUpContract): readonly string[] {
  const { lagMs, scheduleMs, seesBackMs, absenceIsProof } = lookUp;
  const faults = wholeFaults({ 'lookUp.lagMs': lagMs });
  const [first] = scheduleMs;
  if (first === undefined || scheduleMs.some((pause) => !Number.isInteger(pause) || pause < 1)) {
    faults.push('lookUp.scheduleMs must hold at least one pause, each a whole number above 0.');
  }
  if (scheduleMs.some((pause, index) => pause < (scheduleMs[index - 1] ?? 0))) {
    faults.push('lookUp.scheduleMs must not become shorter: its last pause is the slowest step.');
  }
  const needed = proofOf(contract) + (first ?? 0);
  if (absenceIsProof && typeof seesBackMs === 'number' && seesBackMs <= needed) {
    faults.push(
      `lookUp.seesBackMs is ${seesBackMs}; it must be longer than proof time and first pause together (${needed}), or no miss could ever be proof.`,
    );
  }
  return faults;
}

function patienceFaults(contract: ProviderContract): readonly string[] {
  const { patienceMs } = contract;
  const proof = proofOf(contract);
  if (patienceMs > proof) return wholeFaults({ patienceMs });
  return [
    `patienceMs is ${patienceMs}; it must be longer than the proof time (${proof}), or a person were asked before anything can be proven.`,
  ];
}

function jitterFaults({ jitter = 0 }: ProviderContract): readonly string[] {
  return jitter >= 0 && jitter <= 1 ? [] : [`jitter is ${jitter}; it must be a share, 0 to 1.`];
}

function wholeFaults(times: Readonly<Record<string, number>>): string[] {
  return Object.entries(times)
    .filter(([, time]) => !Number.isSafeInteger(time) || time < 0)
    .map(([name, time]) => `${name} is ${time}; it must be whole milliseconds, 0 or more.`);
}
