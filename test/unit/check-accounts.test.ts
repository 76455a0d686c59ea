/** A worker asks whose credentials it has before it takes work. */
import { pino } from 'pino';
import { ConfigurationError } from '../../config/environment';
import { type AccountCheck, type Provider } from '../../providers/provider';
import { checkAccounts } from '../../workers/check-accounts';

const named = (name: string, check?: AccountCheck): readonly [string, Provider] => [
  name,
  {
    ...{ name, account: 'acct_1/test', contracts: {}, readNotification: null },
    send: () => Promise.reject(new Error('not called')),
    revert: () => Promise.reject(new Error('not called')),
    lookUp: () => Promise.reject(new Error('not called')),
    close: () => Promise.resolve(),
    ...(check !== undefined && { checkAccount: () => Promise.resolve(check) }),
  },
];

async function checked(...providers: readonly (readonly [string, Provider])[]) {
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  await checkAccounts(new Map(providers), logger);
  return lines;
}

it('the right account, and a provider that cannot say, are silent', async () => {
  expect(await checked(named('one', { kind: 'same' }), named('two'))).toEqual([]);
});

it('what could not be found out is logged, and nobody is kept from starting', async () => {
  const [line] = await checked(named('one', { kind: 'unknown', why: 'answer 403' }));
  expect(line).toMatch(/"provider":"one".*answer 403/);
});

it('a key of another account stops the start, with its name', async () => {
  const other = named('one', { kind: 'other', why: 'a key of acct_2' });
  await expect(checked(other)).rejects.toThrow(ConfigurationError);
  await expect(checked(other)).rejects.toThrow('one: a key of acct_2');
});
