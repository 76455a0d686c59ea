// The journal file itself: a torn end, a spoilt middle, and what a stop leaves under way.

import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  aCharge,
  environment,
  freshDirectory,
  startUnderTest,
  type UnderTest,
} from './simulator-under-test';
import { readConfiguration } from '../../simulator/configuration';
import { startSimulator } from '../../simulator/start';

let dataDir: string;
let simulator: UnderTest;

beforeEach(async () => {
  dataDir = freshDirectory();
  simulator = await startUnderTest({ dataDir });
});
afterEach(async () => simulator.stop());

async function restart(meanwhile: () => unknown = () => undefined): Promise<void> {
  await simulator.stop();
  meanwhile();
  simulator = await startUnderTest({ dataDir });
}

const journal = () => join(dataDir, 'journal.jsonl');

test('a torn last line is cut off, the rest is kept and written on', async () => {
  await simulator.post('/full/v1/charges', { key: 'whole', body: aCharge() });
  const length = statSync(journal()).size;
  await restart(() => appendFileSync(journal(), '[{"type":"effect","effect":{"id":"ch_torn'));
  expect(statSync(journal()).size).toBe(length);
  await simulator.post('/full/v1/charges', { key: 'next', body: aCharge() });
  await restart();
  expect((await simulator.ledger()).effects).toMatchObject([{ key: 'whole' }, { key: 'next' }]);
});

test.each([
  ['half a line', (line: string) => line.slice(0, line.length / 2)],
  ['an unknown record', () => '[{"type":"surprise"}]'],
  ['no list', () => '{}'],
])('%s before the last line stops the start and names place and variable', async (_, spoil) => {
  await simulator.post('/full/v1/charges', { body: aCharge() });
  await simulator.post('/full/v1/charges', { body: aCharge() });
  const lines = readFileSync(journal(), 'utf8').split('\n');
  writeFileSync(journal(), lines.map((line, at) => (at === 1 ? spoil(line) : line)).join('\n'));
  await expect(startSimulator(readConfiguration(environment({ dataDir })))).rejects.toMatchObject({
    variable: 'RESOLUTE_SIMULATOR_DATA_DIR',
    message: expect.stringMatching(/journal\.jsonl is corrupt at line 2/) as string,
  });
});

test('an effect and the answer saved under its key are one line', async () => {
  await simulator.post('/full/v1/charges', { key: 'one line', body: aCharge() });
  const lines = readFileSync(journal(), 'utf8').trim().split('\n');
  const types = lines.map((line) => (JSON.parse(line) as { type: string }[]).map((it) => it.type));
  expect(types).toEqual([['call'], ['effect', 'answer-saved']]);
});

test('a key of a slow call is still in use after a restart', async () => {
  const body = aCharge();
  await simulator.programme({ on: 'charge', do: 'slow', delay_ms: 60_000 });
  const hangUpWhen = () => simulator.onRecord('?key=held');
  await simulator.post('/full/v1/charges', { key: 'held', body, hangUpWhen });
  await restart();
  const twin = await simulator.post('/full/v1/charges', { key: 'held', body });
  expect(twin.body['error']).toMatchObject({ code: 'idempotency_key_in_use' });
});

test('a provider that was not listening still is not, and comes back on demand', async () => {
  await simulator.administer('PUT', 'settings', { listening: false });
  await restart();
  expect((await simulator.post('/full/v1/charges', { body: aCharge() })).status).toBe('refused');
  await simulator.administer('PUT', 'settings', { listening: true });
  expect((await simulator.post('/full/v1/charges', { body: aCharge() })).status).toBe(201);
});

test('reset keeps the settings and forgets the file', async () => {
  await simulator.post('/full/v1/charges', { body: aCharge() });
  await simulator.administer('PUT', 'settings', { latency_ms: 3 });
  await simulator.administer('POST', 'reset');
  await simulator.post('/full/v1/charges', { key: 'after', body: aCharge() });
  await restart();
  expect((await simulator.ledger()).effects).toMatchObject([{ key: 'after' }]);
  expect((await simulator.administer('GET', 'settings')).body['latency_ms']).toBe(3);
});
