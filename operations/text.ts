/** Text that callers send: bounded in characters (code points, not bytes), no control characters. */
import { z } from 'zod';

/** PostgreSQL could not even store the first. Spelled out, for readers of the published schema. */
const WITHOUT_CONTROLS = /^[^\u0000-\u001f\u007f-\u009f]*$/u;

/**
 * Printable text of `min` to `max` characters. No Unicode normalisation, ever (fingerprint). Counted
 * as JSON Schema counts, in code points; the schema library would count UTF-16 units.
 */
export function text(min: number, max: number): z.ZodString {
  const size = min === 0 ? `at most ${max}` : `${min} to ${max}`;
  const bounds = new RegExp(`^[^]{${min},${max}}$`, 'u');
  return z
    .string()
    .refine((value) => bounds.test(value), `must have ${size} characters`)
    .meta({ minLength: min, maxLength: max })
    .regex(WITHOUT_CONTROLS, 'must not hold control characters');
}

/** Like {@link text}, and something must be seen of it. */
export function name(max: number): z.ZodString {
  return text(1, max).regex(/\S/u, 'must not be blank');
}
