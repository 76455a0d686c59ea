/** What a refund takes, and what it takes over from its charge. */
import { paymentRefund } from '../../operations/payment-refund';
import { commandOf, createOperations } from '../../operations/registry';
import { intentRow } from '../support/intent-row';

const CHARGE = '01a22c76-9472-741a-9fcc-768325ffa9ad';
const BODY = { charge: CHARGE, amount: 700, reference: 'return-1' };
const ORIGIN = { currency: 'JPY', providerId: 'ch_1' };

test.each([
  [{}],
  [{ amount: 1 }],
  [{ amount: 99_999_999_999 }],
  [{ reference: 'ü'.repeat(64) }],
  [{ charge: CHARGE.toUpperCase() }],
])('payment.refund takes %j', (changes) => {
  expect(paymentRefund.schema.safeParse({ ...BODY, ...changes }).success).toBe(true);
});

test.each([
  [{ amount: 0 }],
  [{ amount: -1 }],
  [{ amount: 0.5 }],
  [{ amount: '1' }],
  [{ amount: 100_000_000_000 }],
  [{ amount: undefined }],
  [{ charge: undefined }],
  [{ charge: '' }],
  [{ charge: 'order-1' }],
  [{ charge: null }],
  [{ charge: `${CHARGE} ` }],
  [{ reference: undefined }],
  [{ reference: '' }],
  [{ reference: 'x'.repeat(65) }],
  [{ currency: 'EUR' }],
  [{ provider: 'sim-full' }],
])('payment.refund refuses %j', (changes) => {
  expect(paymentRefund.schema.safeParse({ ...BODY, ...changes }).success).toBe(false);
});

test('an id in capitals is the same charge and the same request', () => {
  const parsed = paymentRefund.schema.parse({ ...BODY, charge: CHARGE.toUpperCase() });
  expect(parsed).toEqual(BODY);
});

test('the currency and what to refund come from the charge', () => {
  expect(paymentRefund.money(BODY, ORIGIN)).toEqual({ amount: 700, currency: 'JPY' });
  expect(paymentRefund.command(BODY, ORIGIN)).toEqual({
    kind: 'refund',
    amount: 700,
    currency: 'JPY',
    charge: 'ch_1',
  });
  expect(() => paymentRefund.command(BODY, null)).toThrow(/without its charge/);
});

test('its command comes out of its own row', () => {
  const row = intentRow({
    operation: 'payment.refund',
    params: BODY,
    currency: 'JPY',
    drawsOn: CHARGE,
    drawsOnProviderId: 'ch_1',
  });
  expect(commandOf(createOperations([]), row)).toEqual(paymentRefund.command(BODY, ORIGIN));
});
