/**
 * A seeded campaign of 300 intents: provider faults, cancels and twins while every process is killed,
 * stopped and frozen; then PostgreSQL, the provider's ledger and Temporal must tell one story (INV-1,
 * INV-3, INV-5, INV-6, INV-10). Larger: `npm run test:faults -- --intents 5000`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CAMPAIGN_CONTRACTS } from '../../campaign/contracts';
import { type CampaignResult, runCampaign } from '../../campaign/run';
import { startStack } from '../../local/ready';

const LIMIT_MS = 540_000;

async function campaign(
  profile: 'storm' | 'lossy',
  intents: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<CampaignResult> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'resolute-campaign-'));
  const stack = await startStack({ dataDirectory, contract: CAMPAIGN_CONTRACTS, environment });
  try {
    const options = { profile, seed: 20_261_130, intents, callers: 48, progress: () => undefined };
    return await runCampaign(stack, options);
  } finally {
    await stack.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

it(
  'three hundred charges and messages and their refunds in a storm: none lost, none doubled, none wrongly ended, none without an owner',
  async () => {
    const { findings, crashes, books, blows } = await campaign('storm', 300);
    expect([...findings, ...crashes]).toEqual([]);
    expect(books.intents.filter((one) => one.kind !== 'refund')).toHaveLength(300);
    expect(books.intents.filter((one) => one.kind === 'refund').length).toBeGreaterThan(30);
    expect(blows.length).toBeGreaterThan(3);
  },
  LIMIT_MS,
);

it(
  'a provider that ignores keys and loses every tenth answer: a thousand charges, none twice, all succeeded',
  async () => {
    // As local activities: Temporal runs such a send again whenever it loses the task it is part of.
    const environment = { RESOLUTE_FIRST_SEND: 'local-activity' };
    const { findings, crashes, books } = await campaign('lossy', 1_000, environment);
    expect([...findings, ...crashes]).toEqual([]);
    expect(books.effects).toHaveLength(1_000);
    expect(books.intents.filter((one) => one.status !== 'succeeded')).toEqual([]);
  },
  LIMIT_MS,
);
