/** Stripe exists where there is a key; a wrong setting stops the start and shows no secret. */
import { ConfigurationError } from '../../config/environment';
import { createOperations } from '../../operations/registry';
import { createProviders } from '../../providers/registry';

const key = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const ACCOUNT = { STRIPE_ACCOUNT: 'acct_1Abc' };

it('without a key it is not registered', () => {
  expect([...createProviders({ STRIPE_API_BASE: 'https://api.stripe.com' }).keys()]).toEqual([]);
});

it.each([key, 'rk_live_1'])('with %s it is', async (apiKey) => {
  const providers = createProviders({ ...ACCOUNT, STRIPE_API_KEY: apiKey });
  expect([...providers.keys()]).toEqual(['stripe']);
  await providers.get('stripe')?.close();
});

it.each([
  ['sk_test_1', 'acct_1Abc/test'],
  ['rk_live_1', 'acct_1Abc/live'],
  ['sk_org_test_1', 'acct_1Abc/test'],
])('the account of %s is %s: one mode knows nothing of the other', async (apiKey, account) => {
  const one = createProviders({ ...ACCOUNT, STRIPE_API_KEY: apiKey }).get('stripe');
  expect(one?.account).toBe(account);
  await one?.close();
});

it('it takes notifications where there is a secret, and gives no reader where there is none', async () => {
  for (const [secret, takes] of [
    ['whsec_0123', true],
    ['', false],
  ] as const) {
    const one = createProviders({ ...ACCOUNT, STRIPE_API_KEY: key }, { stripe: secret }).get(
      'stripe',
    );
    expect(one?.readNotification !== null).toBe(takes);
    await one?.close();
  }
});

it('charges and refunds have a way out of unknown, and no operation accepts review on it', () => {
  const one = createProviders({ ...ACCOUNT, STRIPE_API_KEY: key }).get('stripe');
  if (one === undefined) throw new Error('not registered');
  const operations = [...createOperations([one]).values()];
  expect(Object.keys(one.contracts)).toEqual(['charge', 'refund']);
  expect(operations.flatMap(({ reviewByDesign }) => reviewByDesign)).not.toContain('stripe');
});

it.each([
  ['a publishable key', { STRIPE_API_KEY: 'pk_live_secret' }, 'STRIPE_API_KEY'],
  ['a key in quotes', { STRIPE_API_KEY: '"sk_live_secret"' }, 'STRIPE_API_KEY'],
  ['no address', { STRIPE_API_KEY: key, STRIPE_API_BASE: 'stripe' }, 'STRIPE_API_BASE'],
  ['a path', { STRIPE_API_KEY: key, STRIPE_API_BASE: 'https://x.example/v1' }, 'STRIPE_API_BASE'],
  ['a password', { STRIPE_API_KEY: key, STRIPE_API_BASE: 'https://u:secret@x' }, 'STRIPE_API_BASE'],
  ['no account', { STRIPE_API_KEY: key, STRIPE_ACCOUNT: '' }, 'STRIPE_ACCOUNT'],
  ['a name', { STRIPE_API_KEY: key, STRIPE_ACCOUNT: 'Acme' }, 'STRIPE_ACCOUNT'],
  ['another scheme', { STRIPE_API_KEY: key, STRIPE_API_BASE: 'ftp://x' }, 'STRIPE_API_BASE'],
])('%s is refused by the name of its variable', (_title, environment, name) => {
  const create = () => createProviders({ ...ACCOUNT, ...environment });
  expect(create).toThrow(ConfigurationError);
  expect(create).toThrow(name);
  expect(create).not.toThrow(/_secret|:secret|4eC39/);
});
