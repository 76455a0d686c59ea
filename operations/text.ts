/** Text that callers send: bounded in characters (code points, not bytes), no control characters. */
import { z } from 'zod';

/** U+0000 to U+001F and U+007F to U+009F; PostgreSQL could not even store the first. */
const WITHOUT_CONTROLS = /^\P{Cc}*$/u;

/** Printable text of `min` to `max` characters. No Unicode normalisation, ever (fingerprint). */
export function text(min: number, max: number): z.ZodString {
  const size = min === 0 ? `at most ${max}` : `${min} to ${max}`;
  return z
    .string()
    .regex(new RegExp(`^[^]{${min},${max}}$`, 'u'), `must have ${size} characters`)
    .regex(WITHOUT_CONTROLS, 'must not hold control characters');
}

/** Like {@link text}, and something must be seen of it. */
export function name(max: number): z.ZodString {
  return text(1, max).regex(/\S/u, 'must not be blank');
}
