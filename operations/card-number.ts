/** Tells a card's number (PAN) from a token, so that a caller's mistake is refused and never stored. */

/** 13 to 19 digits, in groups or not (ISO/IEC 7812). */
const DIGITS = /^\d(?:[ -]?\d){12,18}$/;

/** True for text that is a number with a card's check digit (Luhn) and nothing else. */
export function isCardNumber(text: string): boolean {
  if (!DIGITS.test(text)) return false;
  const digits = (text.match(/\d/g) ?? []).reverse().map(Number);
  const sum = digits.reduce((total, digit, place) => total + weigh(digit, place), 0);
  return sum % 10 === 0;
}

/** Every second digit from the right counts twice, by the sum of its digits. */
function weigh(digit: number, place: number): number {
  if (place % 2 === 0) return digit;
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}
