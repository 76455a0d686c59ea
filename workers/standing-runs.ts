/**
 * The runs that must always be there: the auditor, and a reconciler for each provider that lists. Every
 * worker makes them at its start and looks again while it works, since whoever terminates or cancels all
 * runs of a namespace takes these with them, and then nobody would start the others again (INV-10).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Client } from '@temporalio/client';
import { type Logger } from 'pino';
import { type Providers } from '../providers/registry';
import { ensureAuditor } from './auditor';
import { ensureReconcilers } from './reconciler';

/** With the auditor's own pause nothing is without an owner for a minute. */
const LOOK_EVERY_MS = 15_000;

/** What is needed to make them, and where to tell that it could not be done. */
export interface StandingRuns {
  readonly client: Client;
  readonly providers: Providers;
  readonly logger: Logger;
}

/** Starts those that do not run. */
export async function ensureStandingRuns({
  client,
  providers,
}: Pick<StandingRuns, 'client' | 'providers'>): Promise<void> {
  await ensureAuditor(client);
  await ensureReconcilers(client, providers);
}

/** Looks again and again until `stopped`; Temporal may be away meanwhile. */
export async function keepStandingRuns(runs: StandingRuns, stopped: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await pause(LOOK_EVERY_MS, undefined, { signal: stopped });
      // A silent server would hold the worker's end up for half a minute.
      await runs.client.withAbortSignal(stopped, () => ensureStandingRuns(runs));
    } catch (error) {
      if (stopped.aborted) return;
      runs.logger.warn({ error: String(error) }, 'the standing runs could not be looked after');
    }
  }
}
