/**
 * The currencies that money may be in: ISO 4217 as shipped by currency-codes, without the codes that
 * are no means of payment (precious metals, bond units, SDR, test code, "no currency").
 */
import { data } from 'currency-codes';

const NO_MONEY: ReadonlySet<string> = new Set([
  'XAG',
  'XAU',
  'XBA',
  'XBB',
  'XBC',
  'XBD',
  'XDR',
  'XPD',
  'XPT',
  'XSU',
  'XTS',
  'XUA',
  'XXX',
]);

/** ISO 4217 exponents: digits after the decimal point, by upper-case code. */
const EXPONENTS: ReadonlyMap<string, number> = new Map(
  data.filter(({ code }) => !NO_MONEY.has(code)).map(({ code, digits }) => [code, digits]),
);

/** The upper-case ISO 4217 codes of money. */
export const CURRENCIES: readonly string[] = [...EXPONENTS.keys()];

/** Minor units for people: `1000, EUR` is `10.00 EUR`, `1000, JPY` is `1000 JPY`. */
export function formatMoney(amount: number, currency: string): string {
  const exponent = EXPONENTS.get(currency);
  if (exponent === undefined) return `${amount} minor units of ${currency}`;
  if (exponent === 0) return `${amount} ${currency}`;
  // Digits are moved, never divided: a division would round.
  const digits = String(amount).padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)} ${currency}`;
}

/** The same for an intent that may have none: nothing where the effect is not about money. */
export function moneyOf(amount: number | null, currency: string | null): string {
  return amount === null || currency === null ? '' : formatMoney(amount, currency);
}
