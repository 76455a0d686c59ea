/**
 * The faults that intents of a campaign may meet. Only those that keep the provider's contract: what
 * breaks it (a look-up that denies what it must show, keys forgotten inside their window) may double an
 * effect whatever we do, and would excuse our own faults.
 */

/** One fault at the simulator, for one intent's calls. */
export interface PlannedFault {
  readonly on: 'charge' | 'refund' | 'message' | 'void' | 'query';
  readonly do: string;
  readonly times?: number;
  readonly delay_ms?: number;
  readonly retry_after_s?: number;
}

/** Never empty, so that one can always be picked. */
type Faults = readonly [PlannedFault, ...PlannedFault[]];

/** What every kind of send may meet. */
function sends(on: PlannedFault['on']): Faults {
  return [
    { on, do: 'decline' },
    { on, do: 'slow', delay_ms: 400 },
    { on, do: 'slow', delay_ms: 1_300 },
    { on, do: 'hang' },
    { on, do: 'timeout-before-effect' },
    { on, do: 'timeout-before-effect', times: 2 },
    { on, do: 'timeout-after-effect' },
    { on, do: 'reset-before-effect' },
    { on, do: 'reset-after-effect' },
    { on, do: 'http-500-no-effect' },
    { on, do: 'http-500-after-effect' },
    { on, do: 'http-500-stored' },
    { on, do: 'replay-stored-error' },
    { on, do: 'http-409-key-in-use' },
    { on, do: 'http-429', times: 2, retry_after_s: 1 },
    { on, do: 'http-401' },
    { on, do: 'garbage' },
    { on, do: 'late-effect', delay_ms: 1_500 },
  ];
}

/** Of charges. */
export const CHARGES: Faults = [
  ...sends('charge'),
  { on: 'charge', do: 'pending' },
  { on: 'charge', do: 'requires-action' },
  { on: 'charge', do: 'http-400-already-succeeded' },
  { on: 'charge', do: 'http-400-already-captured' },
];

/** Of refunds; a refund that is taken and then lost is the one that is easily paid out twice. */
export const REFUNDS: Faults = [...sends('refund'), { on: 'refund', do: 'pending' }];

/** Of messages. */
export const MESSAGES: Faults = sends('message');

/** Answers that are lost, and nothing else. */
export const LOST_ANSWERS: Faults = [
  { on: 'charge', do: 'timeout-after-effect' },
  { on: 'charge', do: 'timeout-before-effect' },
];

/** Of look-ups. */
export const QUESTIONS: Faults = [
  { on: 'query', do: 'timeout', times: 2 },
  { on: 'query', do: 'http-403' },
  { on: 'query', do: 'http-429', times: 2 },
  { on: 'query', do: 'garbage' },
  { on: 'query', do: 'reset-before-effect' },
  { on: 'query', do: 'slow', delay_ms: 900 },
  { on: 'query', do: 'wrong-amount' },
  { on: 'query', do: 'twice' },
];

/** Of the undoing of charges. */
export const UNDOINGS: Faults = [
  { on: 'void', do: 'timeout-after-effect' },
  { on: 'void', do: 'timeout-before-effect' },
  { on: 'void', do: 'reset-after-effect' },
  { on: 'void', do: 'decline' },
  { on: 'void', do: 'http-500-stored' },
];
