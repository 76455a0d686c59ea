// Standing behaviour, as opposed to the fault programme which is used up call by call.

import { z } from 'zod';

import { readShape } from './shape';

const shape = z.strictObject({
  latency_ms: z.int().min(0).max(600_000),
  notify: z.enum(['off', 'on']),
  listening: z.boolean(),
});

/** `latency_ms`: least time from receipt to answer, for every call on the providers' face. */
export type Settings = Readonly<z.output<typeof shape>>;

export const DEFAULT_SETTINGS: Settings = { latency_ms: 0, notify: 'off', listening: true };

/** Merges the given members over `current`. Throws `Refusal` with a sentence. */
export function changedSettings(current: Settings, given: unknown): Settings {
  const change = readShape(
    shape.partial(),
    given,
    'Allowed: latency_ms (0 to 600000), notify ("off" or "on"), listening (true or false).',
  );
  return {
    latency_ms: change.latency_ms ?? current.latency_ms,
    notify: change.notify ?? current.notify,
    listening: change.listening ?? current.listening,
  };
}
