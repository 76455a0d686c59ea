/** The four stories, as data: what is programmed, and how it has to end. */
import type { Fault } from './client';

/** One charge through one kind of trouble. */
export interface Story {
  readonly title: string;
  /** What the reader should know before the timeline. */
  readonly setting: string;
  readonly provider: 'sim-full' | 'sim-lookup';
  readonly fault: Fault | null;
  /** SIGKILL for the worker while the provider works on the call. */
  readonly killsWorker: boolean;
  /** Beside "succeeded, with one effect", which all of them promise. */
  readonly expected: {
    readonly attempts: number;
    readonly chargeCalls: number;
    readonly asksTheProvider: boolean;
  };
}

/** Long enough to be killed in, and well inside budget and horizon of the provider's contract. */
const SLOW_MS = 1_000;

export const STORIES: readonly Story[] = [
  {
    title: 'The answer arrives',
    setting: 'Nothing goes wrong: one attempt, one call, one effect.',
    provider: 'sim-full',
    fault: null,
    killsWorker: false,
    expected: { attempts: 1, chargeCalls: 1, asksTheProvider: false },
  },
  {
    title: 'The answer is lost after the effect',
    setting:
      'The money moved, but nobody was told. A retry would be a second call: it asks instead.',
    provider: 'sim-full',
    fault: { on: 'charge', do: 'timeout-after-effect' },
    killsWorker: false,
    expected: { attempts: 1, chargeCalls: 1, asksTheProvider: true },
  },
  {
    title: 'The answer is lost before the effect',
    setting:
      'sim-lookup ignores keys: only proof that the first call cannot land any more allows another.',
    provider: 'sim-lookup',
    fault: { on: 'charge', do: 'timeout-before-effect' },
    killsWorker: false,
    expected: { attempts: 2, chargeCalls: 2, asksTheProvider: true },
  },
  {
    title: 'The worker is killed in mid-call',
    setting: 'SIGKILL while the provider works on it. The permit is on disk, the answer is not.',
    provider: 'sim-full',
    fault: { on: 'charge', do: 'slow', delay_ms: SLOW_MS },
    killsWorker: true,
    expected: { attempts: 1, chargeCalls: 1, asksTheProvider: true },
  },
];
