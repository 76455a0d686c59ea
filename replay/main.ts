#!/usr/bin/env node
/**
 * `npm run replay`: would the runs that exist survive this code? Replays the golden histories and, with
 * `--live`, those of a namespace. Exit codes: 0 all survive, 1 some would break or nothing was
 * replayed, 78 not configured.
 */
import { resolve } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { Command, InvalidArgumentError } from 'commander';
import { goldenHistories } from './golden-histories';
import { liveHistories, type Selection } from './live-histories';
import { bundleForReplay, silenceReplays } from './replay-history';
import { type ReplayReport, replayAll, reportText } from './replay-report';

interface Options {
  readonly live?: true;
  readonly query?: string;
  readonly closed: number;
  readonly histories: string;
  readonly workflows?: string;
  readonly json?: true;
}

const program = new Command('replay')
  .description('Replays recorded runs on this code and names those that would break.')
  .option('--live', 'also the runs of the namespace that TEMPORAL_ADDRESS and its kin name')
  .option('--query <query>', 'with --live: the runs of this list query only')
  .option('--closed <count>', 'with --live: most closed runs', count, 1_000)
  .option('--histories <folder>', 'the golden histories', 'test/replay/histories/settle-intent')
  .option('--workflows <module>', 'other workflow code than that of this tree')
  .option('--json', 'one JSON document instead of text')
  .showHelpAfterError();

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('Not a count.');
  return value;
}

async function main(): Promise<void> {
  const options = program.parse().opts<Options>();
  if (options.query !== undefined && options.live === undefined) {
    program.error('--query selects live runs: add --live.');
  }
  silenceReplays();
  const bundle = await bundleForReplay(options.workflows && resolve(options.workflows));
  const reports = { golden: await replayAll(bundle, goldenHistories(options.histories)) };
  const all: Readonly<Record<string, ReplayReport>> = options.live
    ? { ...reports, live: await replayLive(bundle, options) }
    : reports;
  process.stdout.write(options.json ? `${JSON.stringify(all, null, 2)}\n` : textOf(all));
  if (Object.values(all).some((one) => one.broken.length > 0)) process.exitCode = 1;
  if (all['live']?.replayed === 0) {
    throw new Error(
      'No live run was replayed, so nothing is known about them. Look at TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and --query; a namespace without runs needs no --live.',
    );
  }
}

async function replayLive(
  bundle: Awaited<ReturnType<typeof bundleForReplay>>,
  selection: Selection,
): Promise<ReplayReport> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await Connection.connect(connectionOptions);
  try {
    return await replayAll(bundle, liveHistories(new Client({ connection, namespace }), selection));
  } finally {
    await connection.close();
  }
}

function textOf(reports: Readonly<Record<string, ReplayReport>>): string {
  return Object.entries(reports)
    .map(([what, report]) => reportText(what, report))
    .join('');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
