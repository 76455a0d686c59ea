/**
 * A provider's contracts in plain words, as Markdown: what is guaranteed, until when, what happens
 * when an answer is lost, when a person is asked. Written from the numbers alone, so that the page
 * says what the rules will do; `npm run provider-pages` writes the pages, a test compares them.
 */
import {
  DEFAULT_SCHEDULE_MS,
  FENCE_GUARD_MS,
  type LookUpContract,
  type ProviderContract,
} from '../domain/contract';
import { leavesRoomToRepeat } from '../domain/times';
import { type Provider } from './provider';

/** The page of one provider. */
export function contractPage({ name, contracts }: Provider): string {
  const sections = Object.entries(contracts).map(([kind, contract]) => section(kind, contract));
  return [
    `# ${name}`,
    '',
    'Written from the contract by `npm run provider-pages`; do not edit. The words are those of the [glossary](../glossary.md), the rules those of [decision-rules.md](../decision-rules.md).',
    ...sections,
    '',
  ].join('\n');
}

function section(kind: string, contract: ProviderContract): string {
  return [
    '',
    `## ${kind}, contract version ${contract.version}`,
    '',
    ...points('What is guaranteed', guarantees(contract)),
    ...points('When an answer is lost', afterLoss(contract)),
    ...points('When a person is asked', people(contract)),
    ...points('The contract', terms(contract)),
  ]
    .join('\n')
    .trimEnd();
}

function points(title: string, sentences: readonly string[]): readonly string[] {
  return [`### ${title}`, '', ...sentences.map((sentence) => `- ${sentence}`), ''];
}

function guarantees(contract: ProviderContract): readonly string[] {
  const { key, lookUp, revert } = contract;
  const provable = lookUp?.absenceIsProof ?? false;
  const repeats = leavesRoomToRepeat(contract);
  return [
    'Nothing is sent that is not recorded, and no second effect is caused that this contract could have prevented.',
    ...(provable
      ? [
          'After an attempt that may have arrived, a second one follows only where a look-up has proven that the first one did nothing.',
        ]
      : []),
    ...(!provable && key !== null && repeats
      ? [
          `After an attempt that may have arrived, a second one is the same request under the same key, and only ${untilWindow(key.windowMs)}.`,
        ]
      : []),
    ...(!provable && !repeats
      ? ['There is no second attempt after one that may have arrived.']
      : []),
    revert
      ? 'An effect whose cancel was accepted before its outcome is undone.'
      : 'An effect cannot be undone: a cancel that comes after the send may be too late.',
  ];
}

function untilWindow(windowMs: number | 'forever' | 'unpublished'): string {
  return windowMs === 'forever'
    ? 'ever'
    : windowMs === 'unpublished'
      ? 'never'
      : `within ${duration(windowMs)} of the first send, less the time that it may be on its way`;
}

function afterLoss(contract: ProviderContract): readonly string[] {
  const { lookUp, notifications } = contract;
  const repeats = leavesRoomToRepeat(contract);
  if (lookUp !== null) {
    return [
      `The provider is asked by our ${lookUp.by}, after ${pauses(lookUp.scheduleMs)}; the last pause repeats.`,
      ...missSentences(contract, lookUp),
      ...(!lookUp.absenceIsProof && repeats ? [repeatSentence(lookUp.scheduleMs)] : []),
      ...(notifications ? ['A notification makes the next look-up due at once.'] : []),
      ...(lookUp.onReadMs === undefined
        ? []
        : [
            `Whoever reads the intent meanwhile has the provider asked at once, at most every ${duration(lookUp.onReadMs)}.`,
          ]),
    ];
  }
  return [
    'The provider cannot be asked.',
    ...(repeats ? [repeatSentence(DEFAULT_SCHEDULE_MS)] : []),
    ...(notifications ? ['A signed notification is evidence and ends the doubt.'] : []),
    ...(!repeats && !notifications ? ['Nothing can end the doubt but a person.'] : []),
  ];
}

function missSentences(contract: ProviderContract, lookUp: LookUpContract): readonly string[] {
  if (!lookUp.absenceIsProof) return ['"Nothing found" proves nothing here; only a find does.'];
  const proof = proofMs(contract);
  const back =
    lookUp.seesBackMs === 'forever' ? '' : ` and answered within ${duration(lookUp.seesBackMs)}`;
  return [
    `"Nothing found" is proof once it was asked more than ${duration(proof)} after the attempt was opened${back}; earlier it says nothing.`,
  ];
}

function repeatSentence(schedule: readonly number[]): string {
  return `The same request is repeated under the same key, after ${pauses(schedule)}; the provider answers as it did the first time.`;
}

function people(contract: ProviderContract): readonly string[] {
  const { lookUp, notifications, patienceMs } = contract;
  const patience = duration(patienceMs);
  const repeats = leavesRoomToRepeat(contract);
  const noWay = lookUp === null && !repeats && !notifications;
  return [
    noWay
      ? 'At once when an answer is lost: operations must accept that by name (`reviewByDesign`).'
      : `When an attempt is still unresolved ${patience} after it was opened.`,
    ...(lookUp === null
      ? []
      : [`Look-ups go on meanwhile, every ${duration(lookUp.scheduleMs.at(-1) ?? 0)}.`]),
    'When the evidence contradicts the intent or itself.',
  ];
}

function terms(contract: ProviderContract): readonly string[] {
  const { key, reference, send } = contract;
  return [
    key === null
      ? 'Key: not recognised.'
      : `Key: up to ${key.maxBytes} bytes of \`[${key.alphabet}]\`, one ${key.scope}; known ${windowWords(key.windowMs)}; with another body the provider ${key.onMismatch}; declines are ${key.savesRejections ? '' : 'not '}saved under it.`,
    reference === null
      ? 'Reference: no room for one.'
      : `Reference: up to ${reference.maxBytes} bytes of \`[${reference.alphabet}]\`.`,
    `Send: ${duration(send.budgetMs)} for the whole call, ${duration(FENCE_GUARD_MS)} for what our own process may be late, ${duration(send.horizonMs)} in which the request may still land.`,
    `Repeats on the way: ${send.mayRepeat ? 'possible' : 'none'}.`,
    ...(contract.lookUp === null ? [] : [`Settle lag: ${duration(contract.lookUp.lagMs)}.`]),
    `Pauses: lengthened by up to ${contract.jitterPercent ?? 0} %, each intent by its own share.`,
    `Notifications: ${contract.notifications ? 'signed ones' : 'none'}.`,
  ];
}

function windowWords(windowMs: number | 'forever' | 'unpublished'): string {
  if (windowMs === 'forever') return 'for ever';
  return windowMs === 'unpublished'
    ? 'for a time that is not published'
    : `for ${duration(windowMs)}`;
}

function proofMs({ send, lookUp }: ProviderContract): number {
  return send.budgetMs + FENCE_GUARD_MS + send.horizonMs + (lookUp?.lagMs ?? 0);
}

function pauses(schedule: readonly number[]): string {
  const words = schedule.map((pause) => duration(pause));
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}

/** The largest unit that leaves no fraction beyond a tenth: `24 h`, `2 min`, `4.5 s`. */
function duration(ms: number): string {
  const units = [
    ['h', 3_600_000],
    ['min', 60_000],
  ] as const;
  const whole = units.find(([, size]) => ms >= size && ms % size === 0);
  return whole === undefined ? `${ms / 1_000} s` : `${ms / whole[1]} ${whole[0]}`;
}
