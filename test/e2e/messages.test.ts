/**
 * `message.send` from the caller to the provider's ledger: an effect without money, on a provider that
 * recognises keys and on one that recognises nothing, neither of which can be asked.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { exchange, type Reply } from '../support/intent-client';
import { readable } from '../support/readable';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';

const { ready, dataDirectory } = sharedStack();
const simulator = simulatorClient(ready.simulator_admin);
const { token } = ready.tenants.acme;

interface Message {
  readonly to: string;
  readonly text: string;
  readonly reference: string;
  readonly provider?: string;
}

function aMessage(provider?: string): Message {
  const unique = randomBytes(6).toString('hex');
  const named = provider === undefined ? {} : { provider };
  return { to: `to-${unique}@example.com`, text: `text-${unique}`, reference: unique, ...named };
}

function send(message: Message, key = message.reference): Promise<Reply> {
  return exchange(`${ready.api}/v1/intents/message.send`, {
    token,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, prefer: 'wait=30' },
    body: JSON.stringify(message),
  });
}

test.each(['sim-mail', 'sim-fax'])('through %s a message goes out once', async (provider) => {
  const message = aMessage(provider);
  const first = await send(message);
  expect([first.status, (await send(message)).status]).toEqual([201, 201]);
  expect(first.body).toMatchObject({
    operation: 'message.send',
    status: 'succeeded',
    amount: null,
    currency: null,
    reference: message.reference,
    provider,
    provider_id: expect.stringMatching(/^ms_/) as string,
  });
  const { effects, calls } = await simulator.ledger(message.to);
  expect(effects).toMatchObject([{ kind: 'message', amount: null, currency: null }]);
  expect(calls.map(({ call }) => call)).toEqual(['message']);
});

test('where keys are recognised a lost answer leads to a repeat, and to one message', async () => {
  const message = aMessage('sim-mail');
  await simulator.programme({
    on: 'message',
    do: 'timeout-after-effect',
    match: { source: message.to },
  });
  expect(await send(message)).toMatchObject({ status: 201, body: { attempts: 2 } });
  const { effects, calls } = await simulator.ledger(message.to);
  expect(effects).toHaveLength(1);
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
  expect(calls).toHaveLength(2);
});

test.each(['timeout-before-effect', 'timeout-after-effect', 'garbage'])(
  'where nothing is recognised %s ends with a person, and with no second call',
  async (behaviour) => {
    const message = aMessage('sim-fax');
    await simulator.programme({ on: 'message', do: behaviour, match: { source: message.to } });
    expect(await send(message)).toMatchObject({
      status: 202,
      body: { status: 'in_review', verdict: { new_key: 'forbidden' } },
    });
    expect((await simulator.ledger(message.to)).calls).toHaveLength(1);
  },
);

test('a refused message is 422 and a new key is safe', async () => {
  const message = aMessage('sim-mail');
  await simulator.programme({ on: 'message', do: 'decline', match: { source: message.to } });
  expect(await send(message)).toMatchObject({
    status: 422,
    problem: 'effect-rejected',
    body: { verdict: { new_key: 'safe' } },
  });
  expect((await simulator.ledger(message.to)).effects).toEqual([]);
});

test.each([
  ['a provider of charges', 'sim-full', '/provider'],
  ['none that is named', undefined, '/provider'],
])('%s does not take messages: 400', async (_, provider, pointer) => {
  const message = aMessage(provider);
  const { status, body } = await send(message);
  expect([status, body['errors']]).toEqual([400, [expect.objectContaining({ pointer })]]);
  expect((await simulator.ledger(message.to)).calls).toEqual([]);
});

test('a charge does not go to a provider of messages', async () => {
  const source = `card_${randomBytes(6).toString('hex')}`;
  const { status, body } = await exchange(`${ready.api}/v1/intents/payment.charge`, {
    token,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': randomBytes(8).toString('hex'),
    },
    body: JSON.stringify({
      ...{ amount: 1, currency: 'EUR', source, reference: source },
      provider: 'sim-mail',
    }),
  });
  const errors = [expect.objectContaining({ pointer: '/provider' })];
  expect([status, body['errors']]).toEqual([400, errors]);
  expect((await simulator.ledger(source)).calls).toEqual([]);
});

test('INV-12: recipient and text are in the intent’s row and at the provider, nowhere else', async () => {
  const lost = aMessage('sim-mail');
  await simulator.programme({ on: 'message', do: 'garbage', match: { source: lost.to } });
  const stuck = aMessage('sim-fax');
  await simulator.programme({ on: 'message', do: 'garbage', match: { source: stuck.to } });
  const replies = [await send(lost), await send(stuck), await send({ ...lost, text: 'other' })];
  const pieces = [lost.to, lost.text, stuck.to, stuck.text];
  const holding = (text: string) => pieces.filter((piece) => text.includes(piece));

  expect(replies.map(({ status }) => status)).toEqual([201, 202, 422]);
  expect(holding(JSON.stringify(replies.map(({ body }) => body)))).toEqual([]);
  const logs = join(dataDirectory, 'logs');
  const logged = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  expect(holding(logged.join('\n'))).toEqual([]);
  const { row, elsewhere, workflows } = await stored([lost.reference, stuck.reference]);
  expect(holding(row)).toEqual(pieces);
  expect(holding(elsewhere)).toEqual([]);
  expect(holding(await historiesOf(workflows))).toEqual([]);
});

/** The intents' rows as text, their attempts, observations and events as text, and their workflows. */
async function stored(references: readonly string[]) {
  const db = new pg.Client({ connectionString: ready.database });
  await db.connect();
  try {
    const { rows } = await db.query<{ row: string; elsewhere: string; workflow: string }>(
      `select to_jsonb(i)::text as row, workflow_id as workflow,
         (select json_agg(a)::text from attempts a where a.intent = i.id) ||
         (select json_agg(o)::text from observations o where o.intent = i.id) ||
         (select json_agg(e)::text from intent_events e where e.intent = i.id) as elsewhere
       from intents i where business_key = any ($1) order by id`,
      [references],
    );
    expect(rows).toHaveLength(references.length);
    const joined = (member: 'row' | 'elsewhere') => rows.map((one) => one[member]).join('\n');
    return {
      row: joined('row'),
      elsewhere: joined('elsewhere'),
      workflows: rows.map(({ workflow }) => workflow),
    };
  } finally {
    await db.end();
  }
}

/** All that Temporal keeps of them, payloads included. */
async function historiesOf(workflows: readonly string[]): Promise<string> {
  const connection = await Connection.connect({ address: ready.temporal.address });
  const { workflow } = new Client({ connection });
  const histories = await Promise.all(workflows.map((id) => workflow.getHandle(id).fetchHistory()));
  await connection.close();
  const text = readable(histories);
  // The reader sees into payloads: what is known to be there is found.
  expect(text).toContain('message.send via');
  return text;
}
