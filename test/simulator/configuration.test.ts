// Starts that must not happen: each is one line on stderr, exit 78, and nothing on stdout.

import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { readConfiguration } from '../../simulator/configuration';
import { compileSimulator, SimulatorProcess } from './simulator-process';
import { environment, freshDirectory, SECRET } from './simulator-under-test';

let main: string;
let taken: Server;
let takenPort: string;

beforeAll(async () => {
  main = compileSimulator();
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  takenPort = String((taken.address() as AddressInfo).port);
});
afterAll(() => taken.close());

test.each([
  ['PORT', { PORT: 'http' }],
  ['PORT', { PORT: '65536' }],
  ['RESOLUTE_SIMULATOR_ADMIN_PORT', { PORT: '65535' }],
  ['RESOLUTE_SIMULATOR_CONTRACT', { RESOLUTE_SIMULATOR_CONTRACT: '{' }],
  ['RESOLUTE_SIMULATOR_CONTRACT', { RESOLUTE_SIMULATOR_CONTRACT: '{"stripe":{}}' }],
  ['RESOLUTE_SIMULATOR_CONTRACT', { RESOLUTE_SIMULATOR_CONTRACT: '{"sim-full":{"colour":1}}' }],
  ['RESOLUTE_SIMULATOR_CONTRACT', { RESOLUTE_SIMULATOR_CONTRACT: '{"sim-key":{"key":{"ttl":1}}}' }],
  ['RESOLUTE_SIMULATOR_SIGNING_SECRET', { RESOLUTE_SIMULATOR_SIGNING_SECRET: '' }],
  ['RESOLUTE_SIMULATOR_SIGNING_SECRET', { RESOLUTE_SIMULATOR_SIGNING_SECRET: 'hunter2' }],
  ['RESOLUTE_SIMULATOR_SIGNING_SECRET', { RESOLUTE_SIMULATOR_SIGNING_SECRET: 'whsec_!!' }],
  ['RESOLUTE_SIMULATOR_SIGNING_SECRET', { RESOLUTE_SIMULATOR_SIGNING_SECRET: 'whsec_' }],
  ['RESOLUTE_API_URL', { RESOLUTE_API_URL: '' }],
  ['RESOLUTE_API_URL', { RESOLUTE_API_URL: 'ftp://api' }],
])('%s is named when the environment has %j', (variable, change) => {
  const env = { ...environment({ dataDir: '/nowhere' }), ...change };
  expect(() => readConfiguration(env)).toThrow(expect.objectContaining({ variable }) as Error);
});

test('the defaults are the documented ones', () => {
  const env = { RESOLUTE_SIMULATOR_SIGNING_SECRET: SECRET, RESOLUTE_API_URL: 'http://api:8080/' };
  const { contracts, ...rest } = readConfiguration(env);
  expect(rest).toEqual({
    host: '127.0.0.1',
    port: 8090,
    adminPort: 8091,
    dataDir: '.resolute/simulator',
    signingSecret: SECRET,
    apiUrl: 'http://api:8080',
  });
  const day = { windowMs: 86_400_000 };
  const lookUp = { lagMs: 1000, seesBackMs: null };
  expect(Object.values(contracts)).toMatchObject([
    { name: 'sim-full', path: '/full', key: day, lookUp, notifications: true },
    { name: 'sim-lookup', path: '/lookup', key: null, lookUp, notifications: true },
    { name: 'sim-key', path: '/key', key: day, lookUp: null, notifications: false },
    { name: 'sim-blind', path: '/blind', key: null, lookUp: null, notifications: false },
  ]);
});

test('the contract takes away and gives what it names, and ignores what is the engine’s', () => {
  const contract = {
    'sim-full': { key: null, look_up: null },
    'sim-lookup': { key: {}, look_up: { schedule_ms: [1], absence_is_proof: false } },
    'sim-blind': { send: { budget_ms: 1, horizon_ms: 1 }, patience_ms: 1, look_up: { lag_ms: 5 } },
  };
  const { contracts } = readConfiguration(environment({ contract }));
  expect(contracts['sim-full']).toMatchObject({ key: null, lookUp: null });
  expect(contracts['sim-lookup']).toMatchObject({
    key: { windowMs: 86_400_000 },
    lookUp: { lagMs: 1000 },
  });
  expect(contracts['sim-blind']).toMatchObject({ key: null, lookUp: { lagMs: 5 } });
});

test('of several secrets, as in a rotation, the first one signs', () => {
  const env = environment({ dataDir: '/nowhere' });
  const both = { ...env, RESOLUTE_SIMULATOR_SIGNING_SECRET: `${SECRET}, whsec_b2xk` };
  expect(readConfiguration(both).signingSecret).toBe(SECRET);
});

test('a malformed start prints one line without the value, exits 78 and touches nothing', async () => {
  const dataDir = join(freshDirectory(), 'data');
  const env = { ...environment({ dataDir }), RESOLUTE_SIMULATOR_SIGNING_SECRET: 'hunter2' };
  const refused = new SimulatorProcess(main, env);
  expect(await refused.ended).toBe(78);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toMatch(/^RESOLUTE_SIMULATOR_SIGNING_SECRET: [^\n]+\n$/);
  expect(refused.stderr).not.toContain('hunter2');
  expect(existsSync(dataDir)).toBe(false);
});

test.each(['PORT', 'RESOLUTE_SIMULATOR_ADMIN_PORT'])('a taken %s is named', async (variable) => {
  const refused = new SimulatorProcess(main, { ...environment({}), [variable]: takenPort });
  expect(await refused.ended).toBe(78);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toBe(`${variable}: port ${takenPort} is taken\n`);
});

test('a data directory that cannot be made is named', async () => {
  const file = join(freshDirectory(), 'file');
  writeFileSync(file, '');
  const refused = new SimulatorProcess(main, environment({ dataDir: join(file, 'below') }));
  expect(await refused.ended).toBe(78);
  expect(refused.stderr).toMatch(/^RESOLUTE_SIMULATOR_DATA_DIR: .* cannot be used \(ENOTDIR\)\n$/);
});
