/**
 * Power loss of one process while a hundred intents are in flight, on real processes: nothing is
 * lost, nothing doubled, and everything ends (INV-1, INV-2, INV-3, INV-10).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readReady, type RunningStack, startStack } from '../../local/ready';
import { QUICK_CONTRACTS } from '../support/quick-contracts';
import { settleThroughApi } from '../support/settle-through-api';
import { simulatorClient } from '../support/simulator-client';
import { until } from '../support/until';

const INTENTS = 100;
const PROVIDERS = ['sim-full', 'sim-lookup', 'sim-key', 'sim-blind'] as const;
const LIMIT_MS = 120_000;

let stack: RunningStack;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'resolute-kills-'));
  stack = await startStack({ dataDirectory: directory, contract: QUICK_CONTRACTS });
}, LIMIT_MS);
afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
}, LIMIT_MS);

it.each(['worker', 'api', 'temporal', 'postgres'] as const)(
  'SIGKILL of the %s with a hundred intents in flight loses none and doubles none',
  async (victim) => {
    const { api, tenants, simulator_admin } = stack.ready;
    const simulator = simulatorClient(simulator_admin);
    await simulator.settings({ latency_ms: 200 });
    const intents = Array.from({ length: INTENTS }, (_, n) => ({
      key: `kill-${victim}-${n}`,
      source: `card_kill_${victim}_${n}`,
      provider: PROVIDERS[n % PROVIDERS.length] ?? 'sim-full',
    }));
    const settled = Promise.all(
      intents.map(({ key, source, provider }) =>
        settleThroughApi(
          api,
          { reference: key, source, provider },
          { token: tenants.acme.token, key },
        ),
      ),
    );
    await until('calls are under way', async () => {
      const { calls } = await simulator.wholeLedger();
      return calls.filter((call) => call.source?.startsWith(`card_kill_${victim}_`)).length > 10
        ? true
        : undefined;
    });
    process.kill(readReady(directory)?.pids[victim] ?? 0, 'SIGKILL');

    const replies = await settled;
    const { effects } = await simulator.wholeLedger();
    const story = intents.map(({ provider, source }, n) => ({
      provider,
      status: replies[n]?.status,
      effects: effects.filter((effect) => effect.source === source).length,
    }));
    expect(story.filter(isWrong)).toEqual([]);
    expect(await countIntents(`kill-${victim}-%`)).toBe(INTENTS);
  },
  LIMIT_MS,
);

interface Story {
  readonly provider: string;
  readonly status: unknown;
  readonly effects: number;
}

/** Succeeded with exactly one effect; only what nobody can ask about may be left to a person. */
function isWrong({ provider, status, effects }: Story): boolean {
  if (status === 'succeeded') return effects !== 1;
  return !(provider === 'sim-blind' && status === 'in_review' && effects <= 1);
}

async function countIntents(keys: string): Promise<number> {
  const client = new pg.Client({ connectionString: stack.ready.database });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(
    'select count(*) as n from intents where idempotency_key like $1',
    [keys],
  );
  await client.end();
  return Number(rows[0]?.n);
}
