/** Operators at the command line: the built program, a real process, judged by the provider's ledger. */
import { randomUUID } from 'node:crypto';
import { charge, exchange } from '../support/intent-client';
import { cuttingLine } from '../support/cutting-line';
import { operatorAtScreen, type Run } from '../support/resolute';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';
import { stuckCharge } from '../support/stuck-charge';
import { until } from '../support/until';

const { ready } = sharedStack();
const { api, operators, tenants } = ready;
const simulator = simulatorClient(ready.simulator_admin);
const olive = operatorAtScreen(api, operators.olive.token);
const oscar = operatorAtScreen(api, operators.oscar.token);

const STATEMENT = ['--evidence', 'statement of today, line 7', '--reason', 'the payer was charged'];
const NOBODY = '00000000-0000-7000-8000-000000000000';

async function ledgerOf(source: string) {
  const { effects, calls } = await simulator.ledger(source);
  return { effects: effects.length, charges: calls.filter((one) => one.call === 'charge').length };
}

async function statusOf(id: string): Promise<unknown> {
  return (await exchange(`${api}/v1/intents/${id}`, { token: tenants.acme.token })).body['status'];
}

async function untilStatus(id: string, status: string): Promise<void> {
  await until(`${id} is ${status}`, async () => (await statusOf(id)) === status || undefined);
}

async function decisionsOf(id: string): Promise<readonly unknown[]> {
  const url = `${api}/v1/intents/${id}/explanation`;
  return (await exchange(url, { token: operators.olive.token })).body['decisions'] as unknown[];
}

/** The id that `decide` told before it sent anything. */
function idToldBy({ stderr }: Run): string {
  return /^Decision id: (\S+)$/m.exec(stderr)?.[1] ?? '';
}

describe('a lost answer at sim-blind', () => {
  it.each([
    { decision: 'applied', landed: true, status: 'succeeded', effects: 1, charges: 1 },
    { decision: 'not_applied', landed: false, status: 'failed', effects: 0, charges: 1 },
    { decision: 'retry', landed: false, status: 'succeeded', effects: 1, charges: 2 },
  ])('$decision in one line ends it $status, and the ledger agrees', async (row) => {
    const { decision, landed, status, ...ledger } = row;
    const { id, source } = await stuckCharge(ready, { landed });
    const run = await olive('decide', id, decision, ...STATEMENT);
    // 3 where the engine has something left to do or to wait for: a retry is sent by the worker.
    expect([run.code, run.stdout.split('\n')[0]]).toEqual(
      run.code === 0
        ? [0, 'Recorded, and in effect.']
        : [3, expect.stringContaining('It takes effect when')],
    );
    await untilStatus(id, status);
    expect(await ledgerOf(source)).toEqual(ledger);
    expect(await decisionsOf(id)).toHaveLength(1);
  });

  it('a lost answer to the decision itself: the id is told, repeats it, and nothing is decided twice', async () => {
    const { id, source } = await stuckCharge(ready, { landed: true });
    const line = await cuttingLine(api, ['answer', 'answer', 'answer']);
    const lost = await operatorAtScreen(
      line.url,
      operators.olive.token,
    )(...['decide', id, 'applied', ...STATEMENT]);
    line.close();
    const decisionId = idToldBy(lost);
    expect([lost.code, lost.stdout]).toEqual([69, '']);
    expect(lost.stderr).toContain(`No answer of the gateway at ${line.url} in 3 tries`);
    expect(lost.stderr).toContain('RESOLUTE_API_URL');
    expect(lost.stderr).toContain(`--decision-id ${decisionId}, and it is the same decision.`);
    await untilStatus(id, 'succeeded');
    const repeat = ['decide', id, 'applied', ...STATEMENT, '--decision-id', decisionId];
    const again = await olive(...repeat, '--json');
    expect([again.code, again.stderr]).toEqual([0, '']);
    expect(JSON.parse(again.stdout)).toMatchObject({
      id,
      status: 'succeeded',
      decision: { decision_id: decisionId, state: 'effective' },
    });
    const other = await olive('decide', id, 'not_applied', ...repeat.slice(3));
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/^Refused: This decision_id names another decision/);
    expect(await decisionsOf(id)).toHaveLength(1);
    expect(await ledgerOf(source)).toEqual({ effects: 1, charges: 1 });
  });

  it('above the threshold one operator proposes, is refused, and another one approves', async () => {
    const { id, source } = await stuckCharge(ready, { amount: 100_001, landed: true });
    const proposed = await olive('decide', id, 'applied', ...STATEMENT, '--decision-id', source);
    expect(proposed.code).toBe(4);
    expect(proposed.stdout).toContain(`resolute approve ${id} ${source}`);
    const self = await olive('approve', id, source);
    expect(self.code).toBe(1);
    expect(self.stderr).toMatch(
      /^Refused: The decision is not legal[^]*What to do: resolute explain/,
    );
    const queue = await oscar('list', '--concern', 'proposal');
    expect(queue.stdout).toMatch(new RegExp(`to approve +│ 1000.01 EUR +│ ${id}`));
    const shown = await oscar('show', id);
    expect(shown.stdout).toContain(
      `resolute approve ${id} ${source}    (applied by olive: the payer`,
    );
    expect([0, 3]).toContain((await oscar('approve', id, source)).code);
    await untilStatus(id, 'succeeded');
    expect((await oscar('approve', id, source)).code).toBe(0);
    expect((await oscar('show', id)).stdout).not.toContain('Legal now');
    expect(await ledgerOf(source)).toEqual({ effects: 1, charges: 1 });
  });

  it('is listed, shown and explained: rule by rule with the evidence, and a timeline', async () => {
    const { id, reference } = await stuckCharge(ready, { landed: true });
    const list = await olive('list', '--limit', '500');
    expect(list.stdout).toMatch(
      new RegExp(`to decide +│ 10.00 EUR +│ ${id} │ acme ${reference} +│`),
    );
    expect(list.stdout).toMatch(/In all: .*\d+ to decide \(\d+\.\d\d EUR\)/);
    const shown = await olive('show', id);
    expect(shown.stdout).toMatch(/^status +in_review$/m);
    expect(shown.stdout).toContain(`resolute decide ${id} applied|not_applied|retry --evidence`);
    const explained = await olive('explain', id);
    expect(explained.stdout).toMatch(/^believed +doubt$/m);
    expect(explained.stdout).toMatch(
      / {2}rule 2: sent, and not known what became of it\n {6}observation 1: response: unknown \(why: no answer in time\)\n {2}rule 7: /,
    );
    expect(explained.stdout).toMatch(/ {2}\S+Z +\+0\.0 s {2}sent {5}apply 1, over after \d/);
    expect(explained.stdout).toMatch(/ {2}\S+Z +\+\d+\.\d s {2}learned {2}1: response: unknown/);
    const page = await olive('list', '--status', 'in_review', '--limit', '9', '--json');
    const { data } = JSON.parse(page.stdout) as { readonly data: readonly { id: string }[] };
    expect(data.map((one) => one.id)).toContain(id);
    await olive('decide', id, 'applied', ...STATEMENT, '--decision-id', reference);
    await untilStatus(id, 'succeeded');
    const decided = await olive('explain', id);
    expect(decided.stdout).toContain(
      `people   olive: applied ${reference}: effective; evidence: statement of today, line 7;`,
    );
    const document = JSON.parse((await olive('explain', id, '--json')).stdout) as unknown;
    expect(document).toMatchObject({ intent: id, status: 'succeeded', allowed: [] });
    const late = await olive('decide', id, 'not_applied', ...STATEMENT);
    expect(late.code).toBe(1);
    expect(late.stderr).toMatch(
      /Refused: The intent has ended; this comes too late\.\nThe intent /,
    );
  });
});

describe('look-up and cancel', () => {
  /** A charge through a provider that can be asked; resolves with its id. */
  async function begin(source: string, status: string): Promise<string> {
    const body = { provider: 'sim-lookup', source, reference: source };
    const asked = await charge(api, body, { token: tenants.acme.token, key: source, wait: 0 });
    const id = String(asked.body['id']);
    await untilStatus(id, status);
    return id;
  }

  it('look-up has the provider asked, and is refused where nobody can be', async () => {
    const source = `card_${randomUUID()}`;
    const match = { source };
    await simulator.programme({ on: 'charge', do: 'timeout-after-effect', match });
    await simulator.programme({ on: 'query', do: 'timeout', times: 2, match });
    const id = await begin(source, 'unknown');
    const asked = await olive('look-up', id);
    expect([asked.code, asked.stderr]).toEqual([0, '']);
    expect(asked.stdout).toMatch(/^sim-lookup is being asked; /);
    await untilStatus(id, 'succeeded');
    const blind = await stuckCharge(ready, { landed: true });
    const refused = await olive('look-up', blind.id, '--json');
    expect([refused.code, JSON.parse(refused.stdout)]).toEqual([
      1,
      expect.objectContaining({ type: expect.stringMatching(/look-up-not-possible$/) as string }),
    ]);
    expect(refused.stderr).toContain('sim-blind cannot be asked');
  });

  it('cancel ends what was never sent, waits for a person in review, and comes too late after the end', async () => {
    const source = `card_${randomUUID()}`;
    await simulator.programme({ on: 'charge', do: 'http-429', times: 'always', match: { source } });
    const id = await begin(source, 'executing');
    const canceled = await olive('cancel', id, '--wait', '30');
    expect([canceled.code, canceled.stdout.split(':')[0]]).toEqual([0, 'Canceled']);
    expect(await ledgerOf(source)).toMatchObject({ effects: 0 });
    const stuck = await stuckCharge(ready, { landed: true });
    const waits = await olive('cancel', stuck.id, '--wait', '0');
    expect(waits.code).toBe(3);
    expect((await olive('show', stuck.id)).stdout).toMatch(
      /^cancel +asked for by operator olive,/m,
    );
    await olive('decide', stuck.id, 'not_applied', ...STATEMENT);
    const done = await charge(
      api,
      { source: `card_${source}`, reference: source },
      { token: tenants.acme.token, key: randomUUID(), wait: 30 },
    );
    const late = await olive('cancel', String(done.body['id']));
    expect([late.code, late.stderr.split('\n')[0]]).toEqual([
      1,
      'Refused: The intent has ended; this comes too late.',
    ]);
  });
});

describe('what cannot be understood changes nothing', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await stuckCharge(ready, { landed: true }));
  });

  it.each<[string, readonly string[], string]>([
    ['no evidence', ['decide', 'ID', 'applied', '--reason', 'r'], '--evidence <text>'],
    ['blank evidence', ['decide', 'ID', 'applied', '--evidence', ' ', '--reason', 'r'], 'One line'],
    ['two lines', ['decide', 'ID', 'applied', '--evidence', 'a\nb', '--reason', 'r'], 'One line'],
    ['another verdict', ['decide', 'ID', 'maybe', ...STATEMENT], 'applied, not_applied, retry'],
    ['no UUID', ['decide', '42', 'applied', ...STATEMENT], 'The `id` that the gateway shows'],
    ['an id with a blank', ['approve', 'ID', 'a b'], '1 to 100 of letters'],
    ['an unknown intent', ['decide', NOBODY, 'applied', ...STATEMENT], 'resolute list'],
    ['an unknown decision', ['approve', 'ID', 'nothing'], 'Refused: There is nothing here'],
    ['an unknown concern', ['list', '--concern', 'all'], 'proposal, review'],
    ['two kinds of list', ['list', '--concern', 'review', '--status', 'failed'], 'cannot be used'],
    ['too many', ['list', '--limit', '501'], 'limit: must be 1 to 500'],
    ['a cursor of no list', ['list', '--cursor', NOBODY], '--status'],
    ['a wait of an hour', ['cancel', 'ID', '--wait', '3600'], 'Seconds, 0 to 60'],
  ])('%s', async (...row) => {
    const [, args, message] = row;
    const { code, stdout, stderr } = await olive(...args.map((one) => (one === 'ID' ? id : one)));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect([await statusOf(id), await decisionsOf(id)]).toEqual(['in_review', []]);
  });

  it.each<[string, string, string, number, string]>([
    ['no address', '', operators.olive.token, 78, 'RESOLUTE_API_URL is not set'],
    ['an address of another kind', 'ftp://x', 'secret', 78, 'RESOLUTE_API_URL is not an address'],
    ['no token', api, '', 78, 'RESOLUTE_OPERATOR_TOKEN is not set'],
    ['no bearer token', api, 'two secrets', 78, 'RESOLUTE_OPERATOR_TOKEN is not a token'],
    ['an unknown token', api, 'secret', 77, 'put a live operator’s token into RESOLUTE_OPERATOR_'],
    ['a tenant’s token', api, tenants.acme.token, 77, 'not a tenant’s'],
    ['nobody there', 'http://127.0.0.1:1', 'secret', 69, 'RESOLUTE_API_URL is its address'],
    ['another server', ready.simulator, 'secret', 69, 'RESOLUTE_API_URL is its address'],
  ])('%s', async (...row) => {
    const [, at, token, code, message] = row;
    const run = await operatorAtScreen(at, token)('decide', id, 'applied', ...STATEMENT);
    expect([run.code, run.stdout]).toEqual([code, '']);
    expect(run.stderr).toContain(message);
    if (token !== '') expect(run.stderr).not.toContain(token);
    expect(await decisionsOf(id)).toEqual([]);
  });
});
