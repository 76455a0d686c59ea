/** Tenants, tokens and operators: made by the command line, proven at the gateway. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { charge, exchange, type Reply } from '../support/intent-client';
import { resolute, resoluteJson } from '../support/resolute';
import { sharedStack } from '../support/shared-stack';
import { until } from '../support/until';

const { ready } = sharedStack();
const { api, database } = ready;
const db = new pg.Client({ connectionString: database });

interface Issued {
  readonly id: string;
  readonly token: string;
  readonly state: string;
  readonly expires_at: string | null;
  readonly replaces?: { readonly id: string; readonly expires_at: string };
}

const run = <Answer = Issued>(...args: readonly string[]): Promise<Answer> =>
  resoluteJson<Answer>(database, ...args);

/** A token of this suite's tenant. */
const issue = (scopes: string, ...more: readonly string[]): Promise<Issued> =>
  run('token', 'create', '--tenant', 'initech', '--actor', 'peter', '--scopes', scopes, ...more);

const list = (token: string): Promise<Reply> => exchange(`${api}/v1/intents`, { token });

beforeAll(async () => {
  await db.connect();
  await run('tenant', 'create', 'initech', '--provider', 'sim-full');
});
afterAll(() => db.end());

describe('a tenant', () => {
  test('is listed, and made once', async () => {
    const tenants = await run<readonly { id: string }[]>('tenant', 'list');
    expect(tenants).toContainEqual(
      expect.objectContaining({ id: 'initech', default_provider: 'sim-full' }),
    );
    const again = await resolute(database, 'tenant', 'create', 'initech', '--provider', 'x');
    expect([again.code, again.stderr]).toEqual([1, 'There is a tenant initech already.\n']);
  });

  test('shows in a table for people', async () => {
    const { stdout } = await resolute(database, 'tenant', 'list');
    expect(stdout).toMatch(/│ id +│ default provider +│ created +│/);
    expect(stdout).toMatch(/│ initech +│ sim-full +│ \d{4}-\d\d-\d\d \d\d:\d\d Z │/);
  });
});

describe('a token', () => {
  test('is 256 random bits, shown once, kept as its SHA-256', async () => {
    const { id, token } = await issue('charge,read');
    expect(Buffer.from(token.replace(/^rsl_/, ''), 'base64url')).toHaveLength(32);
    const { rows } = await db.query<{ token_digest: Buffer }>(
      'select * from api_keys where id = $1',
      [id],
    );
    expect(rows[0]?.token_digest).toEqual(createHash('sha256').update(token).digest());
    expect(JSON.stringify(rows)).not.toContain(token.slice(4, 20));
    const { stdout } = await resolute(database, 'token', 'list', '--tenant', 'initech');
    expect(stdout).toMatch(new RegExp(`│ ${id} │ initech +│ peter +│ charge, read +│ live +│`));
    expect(stdout).not.toContain(token.slice(4, 20));
  });

  test('allows what its scopes say and no more', async () => {
    const reader = (await issue('read')).token;
    const payer = (await issue('charge')).token;
    const body = { reference: 'scopes' };
    expect((await charge(api, body, { token: reader, key: 'scopes' })).status).toBe(403);
    expect((await charge(api, body, { token: payer, key: 'scopes' })).status).toBe(201);
    expect((await list(payer)).status).toBe(403);
    expect((await list(reader)).status).toBe(200);
  });

  test('B16: that is revoked is 401 on a repeat of its own success, on reads, and for ever', async () => {
    const { id, token } = await issue('charge,read');
    const body = { reference: 'revoked-by-hand' };
    const first = await charge(api, body, { token, key: 'revoked-by-hand' });
    expect(first.status).toBe(201);
    expect(await run('token', 'revoke', id)).toMatchObject({ id, state: 'revoked' });
    const repeat = await charge(api, body, { token, key: 'revoked-by-hand' });
    expect([repeat.status, repeat.problem]).toEqual([401, 'unauthenticated']);
    expect(repeat.headers.get('www-authenticate')).toContain('invalid_token');
    expect((await list(token)).status).toBe(401);
    expect(
      (await exchange(`${api}/v1/intents/${String(first.body['id'])}`, { token })).status,
    ).toBe(401);
    expect(await run('token', 'revoke', id)).toMatchObject({ state: 'revoked' });
    expect((await resolute(database, 'token', 'rotate', id)).code).toBe(1);
  });

  test('that is rotated continues its own retries, and the old one works until its end', async () => {
    const old = await issue('charge,read');
    const body = { reference: 'rotated' };
    const first = await charge(api, body, { token: old.token, key: 'rotated' });
    const successor = await run('token', 'rotate', old.id, '--overlap', '1h');
    expect(successor.replaces?.id).toBe(old.id);
    expect(Date.parse(successor.replaces?.expires_at ?? '') - Date.now()).toBeGreaterThan(
      3_500_000,
    );
    for (const { token } of [successor, old]) {
      const repeat = await charge(api, body, { token, key: 'rotated' });
      expect(repeat.status).toBe(201);
      expect(repeat.headers.get('idempotency-replayed')).toBe('true');
      expect(repeat.body).toEqual(first.body);
    }
    const end = 'update api_keys set expires_at = now() where id = $1';
    await db.query(end, [old.id]);
    expect((await charge(api, body, { token: old.token, key: 'rotated' })).status).toBe(401);
    expect((await charge(api, body, { token: successor.token, key: 'rotated' })).status).toBe(201);
  });

  test('that is rotated without overlap ends at once, and never lives longer than it would have', async () => {
    const brief = await issue('read', '--expires-in', '30m');
    const next = await run('token', 'rotate', brief.id, '--overlap', '10h');
    expect(next.replaces?.expires_at).toBe(brief.expires_at);
    const last = await run('token', 'rotate', next.id, '--overlap', '0s');
    expect((await list(next.token)).status).toBe(401);
    expect((await list(last.token)).status).toBe(200);
  });

  test('that is rotated has a successor that lives as long, unless told otherwise', async () => {
    const lifetime = (one: Issued) => Date.parse(one.expires_at ?? '') - Date.now();
    const brief = await issue('read', '--expires-in', '30m');
    const next = await run('token', 'rotate', brief.id);
    expect(Math.abs(lifetime(next) - 1_800_000)).toBeLessThan(60_000);
    const longer = await run('token', 'rotate', next.id, '--expires-in', '90d');
    expect(lifetime(longer)).toBeGreaterThan(89 * 86_400_000);
    const endless = await issue('read');
    expect((await run('token', 'rotate', endless.id)).expires_at).toBeNull();
  });

  test('ends by itself', async () => {
    const { id, token } = await issue('read', '--expires-in', '1s');
    await until('the token ends', async () => (await list(token)).status === 401 || undefined);
    const listed = await run<readonly Issued[]>('token', 'list', '--tenant', 'initech');
    expect(listed.find((one) => one.id === id)?.state).toBe('expired');
  });
});

describe('an operator', () => {
  test('is made once, reads every tenant, decides in one name', async () => {
    const { token, id } = await run('operator', 'create', 'milton');
    const seen = await list(token);
    expect(seen.status).toBe(200);
    const again = await resolute(database, 'operator', 'create', 'milton');
    expect([again.code, again.stderr]).toEqual([
      1,
      `milton has a live token: token rotate ${id}\n`,
    ]);
    const operators = await run<readonly Issued[]>('operator', 'list');
    expect(operators).toContainEqual(expect.objectContaining({ id, tenant: null, state: 'live' }));
    expect((await run<readonly Issued[]>('token', 'list')).map((one) => one.id)).not.toContain(id);
  });
});

describe('what is not understood changes nothing', () => {
  const create = (changes: Readonly<Record<string, string>>): readonly string[] => {
    const options = { tenant: 'initech', actor: 'peter', scopes: 'read', ...changes };
    return ['token', 'create', ...Object.entries(options).flatMap(([k, v]) => [`--${k}`, v])];
  };

  test.each([
    ['a tenant that is not there', create({ tenant: 'nobody' }), 'There is no tenant nobody.'],
    ['a tenant’s id in capitals', ['tenant', 'create', 'X', '--provider', 'p'], 'a-z 0-9'],
    ['an unknown scope', create({ scopes: 'read,write' }), 'charge, refund, message, read, cancel'],
    ['an operator’s scope', create({ scopes: 'operate' }), 'charge, refund, message, read, cancel'],
    ['an actor with blanks', create({ actor: 'a b' }), 'A-Z a-z 0-9'],
    ['a duration without its unit', create({ 'expires-in': '90' }), '90s, 15m'],
    ['no tenant', ['token', 'create', '--actor', 'a', '--scopes', 'read'], "'--tenant <id>'"],
    ['an unknown id', ['token', 'revoke', '01a22c76-9472-741a-9fcc-768325ffa9ad'], 'no token'],
  ])('%s', async (...row) => {
    const [, args, message] = row;
    const count = async () => (await db.query('select from api_keys')).rowCount ?? -1;
    const before = await count();
    const { code, stdout, stderr } = await resolute(database, ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(await count()).toBe(before);
  });

  test('a token pasted as an id is not repeated on the screen in words of ours', async () => {
    const { stderr } = await resolute(database, 'token', 'revoke', 'rsl_pasted', '--json');
    expect(stderr).toContain('The id that `token list` shows, not the token itself.');
  });

  test('without DATABASE_URL it is one line that names the variable, exit 78; help needs none', async () => {
    const { code, stderr } = await resolute('', 'tenant', 'list');
    expect(code).toBe(78);
    expect(stderr).toMatch(/^DATABASE_URL is not set: .*\n$/);
    expect((await resolute('', '--help')).code).toBe(0);
  });
});
