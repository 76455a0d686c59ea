import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../../config/environment';
import { type ProviderContract } from '../../domain/contract';
import { CURRENCIES, formatMoney } from '../../operations/currency';
import { PROJECT_ROOT } from '../../local/project-root';
import { paymentCharge } from '../../operations/payment-charge';
import { commandOf, createOperations } from '../../operations/registry';
import { describedProviders } from '../../providers/registry';
import { simulatorContracts } from '../../providers/simulator/contracts';
import { intentRow } from '../support/intent-row';

const blind: ProviderContract = { ...intentRow().contract, notifications: false };
const full = simulatorContracts('{}')['sim-full'];
const served = (name: string, charge?: ProviderContract) => ({
  name,
  contracts: charge === undefined ? {} : { charge },
});

describe('at the start, an operation on a provider without a path out of unknown', () => {
  test('is refused by name', () => {
    expect(() => createOperations([served('acme-pay', blind)])).toThrow(ConfigurationError);
    expect(() => createOperations([served('acme-pay', blind)])).toThrow(
      /payment\.charge on acme-pay/,
    );
  });

  test('is accepted where the operation lists the provider', () => {
    expect([...createOperations([served('sim-blind', blind)]).keys()]).toContain('payment.charge');
  });

  test('is accepted on every provider for trials by what it serves, and on no other', () => {
    for (const { name, commandKind, reviewByDesign } of createOperations([]).values()) {
      const serving = describedProviders().filter(({ contracts }) => commandKind in contracts);
      const trials = serving.map((one) => one.name).filter((one) => one.startsWith('sim-'));
      expect({ name, accepted: [...reviewByDesign].sort() }).toEqual({
        name,
        accepted: trials.sort(),
      });
    }
  });

  test.each<[string, Partial<ProviderContract>]>([
    ['a look-up that proves absence', { lookUp: full.lookUp }],
    [
      'a look-up that can only find',
      { lookUp: full.lookUp && { ...full.lookUp, absenceIsProof: false } },
    ],
    ['a key with a window', { key: full.key }],
    ['notifications', { notifications: true }],
  ])('is what it is not with %s', (_, changes) => {
    expect(() => createOperations([served('p', { ...blind, ...changes })])).not.toThrow();
  });

  test.each<[string, Partial<ProviderContract>]>([
    [
      'a key without a published window',
      { key: full.key && { ...full.key, windowMs: 'unpublished' } },
    ],
    ['a window without room for a repeat', { key: full.key && { ...full.key, windowMs: 3_500 } }],
  ])('stays one with %s', (_, changes) => {
    expect(() => createOperations([served('p', { ...blind, ...changes })])).toThrow(/never end/);
  });

  test('is one line for each provider', () => {
    const start = () => createOperations([served('p', blind), served('q', blind)]);
    expect(start).toThrow(/on p [^\n]+\npayment\.charge on q /);
  });

  test('does not matter where the provider does not serve it', () => {
    expect(() => createOperations([served('p')])).not.toThrow();
  });
});

test('the simulator’s four contracts are accepted as they are', () => {
  const providers = Object.entries(simulatorContracts('{}')).map(([name, contract]) =>
    served(name, contract),
  );
  expect(() => createOperations(providers)).not.toThrow();
});

test('a refund has a contract of its own, and needs a path out of unknown as well', () => {
  const provider = { name: 'acme-pay', contracts: { charge: full, refund: blind } };
  expect(() => createOperations([provider])).toThrow(/payment\.refund on acme-pay/);
  const registered = createOperations([{ ...provider, contracts: { charge: full, refund: full } }]);
  expect([...registered.keys()]).toEqual(['payment.charge', 'payment.refund', 'message.send']);
});

test('two operations of one name are refused', () => {
  expect(() => createOperations([], [paymentCharge, paymentCharge])).toThrow(ConfigurationError);
});

test('a stored intent gives its command; a purged or unknown one throws', () => {
  const params = { amount: 1, currency: 'EUR', source: 's', reference: 'r' };
  expect(commandOf(createOperations([]), intentRow({ params }))).toMatchObject({
    kind: 'charge',
    amount: 1,
  });
  expect(() => commandOf(createOperations([]), intentRow({ params: null }))).toThrow(/purged/);
  expect(() => commandOf(createOperations([]), intentRow({ params, operation: 'x' }))).toThrow(
    /not a registered/,
  );
});

test.each([
  [1000, 'EUR', '10.00 EUR'],
  [5, 'EUR', '0.05 EUR'],
  [1000, 'JPY', '1000 JPY'],
  [1, 'KWD', '0.001 KWD'],
  [12345, 'CLF', '1.2345 CLF'],
  [99_999_999_999, 'USD', '999999999.99 USD'],
  [7, '???', '7 minor units of ???'],
])('%d of %s is written %s', (amount, currency, text) => {
  expect(formatMoney(amount, currency)).toBe(text);
});

test('codes that are no money are no currencies', () => {
  expect(CURRENCIES).toEqual(expect.arrayContaining(['EUR', 'XOF', 'XCD']));
  expect(['XAU', 'XXX', 'XTS', 'eur', ''].filter((code) => CURRENCIES.includes(code))).toEqual([]);
});

describe('retention', () => {
  test.each([29, 0, -1, 400.5, Number.NaN])('of %s days is refused at the start', (days) => {
    const operation = { ...paymentCharge, retentionDays: days };
    expect(() => createOperations([], [operation])).toThrow(ConfigurationError);
    expect(() => createOperations([], [operation])).toThrow(/payment\.charge has retentionDays/);
  });

  test('B61, B63: of every operation it is published, and outlives 13 months of contest', () => {
    const text = readFileSync(join(PROJECT_ROOT, 'docs', 'retention.md'), 'utf8');
    for (const { name, retentionDays } of createOperations([]).values()) {
      expect(text).toMatch(
        new RegExp(`\\| \`${name}\` +\\| ${retentionDays} days, from the outcome`),
      );
      expect(retentionDays).toBeGreaterThan(396);
    }
  });
});
