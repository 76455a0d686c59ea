import { readConfiguration } from '../../api/configuration';
import { LIMITS } from '../../api/limits';
import { ConfigurationError } from '../../config/environment';

const env = {
  DATABASE_URL: 'postgres://x',
  RESOLUTE_KEY_DIGEST_SECRET: 'ab'.repeat(32),
};

test('the gateway needs a database and a secret, nothing else', () => {
  expect(readConfiguration(env)).toEqual({
    databaseUrl: 'postgres://x',
    host: '127.0.0.1',
    port: 8080,
    keyDigestSecret: Buffer.alloc(32, 0xab),
    deskUrl: 'http://127.0.0.1:8233/namespaces/default/workflows',
    limits: LIMITS,
    firstSend: 'activity',
    logLevel: 'info',
  });
});

test.each([
  ['DATABASE_URL', undefined],
  ['PORT', '70000'],
  ['PORT', 'http'],
  ['RESOLUTE_KEY_DIGEST_SECRET', undefined],
  ['RESOLUTE_KEY_DIGEST_SECRET', 'ab'.repeat(31)],
  ['RESOLUTE_KEY_DIGEST_SECRET', 'xy'.repeat(32)],
  ['RESOLUTE_LOG_LEVEL', 'loud'],
  ['RESOLUTE_FIRST_SEND', 'twice'],
  ['RESOLUTE_RATE_LIMIT', '0'],
  ['RESOLUTE_MOST_WAITING', 'many'],
  ['RESOLUTE_MOST_DELAY_MS', '-1'],
])('%s = %s is one line that names the variable and not its value', (name, value) => {
  const attempt = () => readConfiguration({ ...env, [name]: value });
  expect(attempt).toThrow(ConfigurationError);
  expect(attempt).toThrow(new RegExp(`^${name} [^\n]*$`));
  if (name.endsWith('SECRET') && value !== undefined) expect(attempt).not.toThrow(value);
});

test('a slash behind the desk’s address is dropped', () => {
  expect(readConfiguration({ ...env, RESOLUTE_DESK_URL: 'http://desk/w//' }).deskUrl).toBe(
    'http://desk/w',
  );
});
