#!/usr/bin/env node
/**
 * `npm run test:faults -- --seed N --intents N`: a campaign on a stack of its own. Exit codes: 0 the
 * books agree, 1 they do not or the campaign could not be run. With findings the data directory stays.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startStack } from '../local/ready';
import { CAMPAIGN_CONTRACTS } from './contracts';
import { reportText } from './report';
import { type CampaignOptions, type CampaignResult, runCampaign } from './run';

const USAGE = `npm run test:faults -- [options]
  --seed N      which plan (default: a new one, printed)
  --profile P   storm (default): every fault, every process struck; lossy: a provider without keys
                that loses every tenth answer
  --intents N   how many intents (default 300)
  --callers N   callers at once (default 48)`;

function readOptions(): CampaignOptions {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      profile: { type: 'string', default: 'storm' },
      intents: { type: 'string', default: '300' },
      callers: { type: 'string', default: '48' },
    },
  });
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  return {
    profile: profile(values.profile),
    seed: whole('--seed', values.seed),
    intents: whole('--intents', values.intents),
    callers: whole('--callers', values.callers),
    progress,
  };
}

function profile(text: string): CampaignOptions['profile'] {
  if (text === 'storm' || text === 'lossy') return text;
  throw new Error(`--profile knows storm and lossy, not "${text}".\n${USAGE}`);
}

function whole(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0) {
    throw new Error(`${name} must be a whole number, not "${text}".\n${USAGE}`);
  }
  return value;
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const options = readOptions();
  options.progress(`seed ${options.seed}, ${options.intents} intents`);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'resolute-campaign-'));
  const result = await onFreshStack(dataDirectory, options);
  process.stdout.write(reportText(options, result));
  if (result.findings.length + result.crashes.length > 0) {
    process.exitCode = 1;
    options.progress(`The stack's data is kept in ${dataDirectory}.`);
    return;
  }
  rmSync(dataDirectory, { recursive: true, force: true });
}

async function onFreshStack(
  dataDirectory: string,
  options: CampaignOptions,
): Promise<CampaignResult> {
  const stack = await startStack({ dataDirectory, contract: CAMPAIGN_CONTRACTS });
  try {
    return await runCampaign(stack, options);
  } finally {
    await stack.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
});
