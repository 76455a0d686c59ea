/**
 * Which JSON numbers a double holds exactly as they were written. Two texts that differ in value may
 * never become one number, or two requests would share a fingerprint.
 */

/** Longer numerals are refused unread: no double needs them, and comparing them takes time. */
const LONGEST_NUMERAL = 64;

const NUMERAL = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** The number, or null where it is an integer beyond ±(2^53 - 1) or would be rounded. */
export function exactNumber(numeral: string): number | null {
  if (numeral.length > LONGEST_NUMERAL) return null;
  const value = Number(numeral);
  if (!Number.isFinite(value)) return null;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return null;
  if (decimalForm(numeral) !== decimalForm(String(value))) return null;
  // Minus zero is zero, as in RFC 8785.
  return value === 0 ? 0 : value;
}

/** Significant digits and power of ten: `1000.0`, `1e3` and `1000` are all `1e3`. */
function decimalForm(numeral: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = NUMERAL.exec(numeral) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${significant}e${power}`;
}
