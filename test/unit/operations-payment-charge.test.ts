import { paymentCharge } from '../../operations/payment-charge';

const BODY = { amount: 1000, currency: 'EUR', source: 'card_1', reference: 'order-1' };
const accepts = (changes: Record<string, unknown>): boolean =>
  paymentCharge.schema.safeParse({ ...BODY, ...changes }).success;
const metadata = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

test.each([
  [{}],
  [{ amount: 1 }],
  [{ amount: 99_999_999_999 }],
  [{ currency: 'JPY' }],
  [{ currency: 'XOF' }],
  [{ source: 'x'.repeat(255) }],
  [{ reference: '😀'.repeat(64) }],
  [{ reference: 'a\u2028b' }],
  [{ provider: 'sim-blind' }],
  [{ description: '' }],
  [{ description: 'é'.repeat(500) }],
  [{ metadata: metadata(20) }],
  [{ metadata: { ['k'.repeat(40)]: 'v'.repeat(500) } }],
])('payment.charge takes %j', (changes) => {
  expect(accepts(changes)).toBe(true);
});

test.each([
  [{ amount: 0 }],
  [{ amount: -1 }],
  [{ amount: 1.5 }],
  [{ amount: 100_000_000_000 }],
  [{ amount: '1000' }],
  [{ amount: null }],
  [{ currency: 'eur' }],
  [{ currency: 'EURO' }],
  [{ currency: 'ABC' }],
  [{ currency: 'XXX' }],
  [{ currency: 'XAU' }],
  [{ source: '' }],
  [{ source: ' ' }],
  [{ source: 'x'.repeat(256) }],
  [{ source: 'a\u0000b' }],
  [{ reference: '' }],
  [{ reference: 'x'.repeat(65) }],
  [{ reference: 'a\nb' }],
  [{ reference: 'a\u0085b' }],
  [{ provider: '' }],
  [{ provider: null }],
  [{ description: 'x'.repeat(501) }],
  [{ description: null }],
  [{ metadata: metadata(21) }],
  [{ metadata: { k: 1 } }],
  [{ metadata: { k: null } }],
  [{ metadata: { '': 'v' } }],
  [{ metadata: { ['k'.repeat(41)]: 'v' } }],
  [{ metadata: { k: 'v'.repeat(501) } }],
  [{ metadata: { k: '\u0000' } }],
  [{ metadata: ['v'] }],
  [{ capture: true }],
])('payment.charge refuses %j', (changes) => {
  expect(accepts(changes)).toBe(false);
});

test.each([
  '4111111111111111',
  '4111 1111 1111 1111',
  '5555-5555-5555-4444',
  '378282246310005',
  '6304000000000000',
])('B131: %s is a card number, which is no token: it is refused and not repeated', (source) => {
  const read = paymentCharge.schema.safeParse({ ...BODY, source });
  expect(read.error?.issues).toMatchObject([{ path: ['source'] }]);
  expect(JSON.stringify(read.error?.issues)).not.toContain(source);
});

test.each([
  'card_1',
  'tok_4111111111111111',
  // The check digit is wrong.
  '4111111111111112',
  // Too short, too long.
  '411111111117',
  '41111111111111111111',
])('%s may be a token', (source) => {
  expect(accepts({ source })).toBe(true);
});

test.each(['amount', 'currency', 'source', 'reference'])('%s is required', (member) => {
  expect(accepts({ [member]: undefined })).toBe(false);
});

test('its command carries what the provider needs, with absent text as null', () => {
  expect(paymentCharge.command(BODY, null)).toEqual({
    kind: 'charge',
    amount: 1000,
    currency: 'EUR',
    source: 'card_1',
    description: null,
    metadata: {},
  });
});
