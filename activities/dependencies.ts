/** What the activities work with; passed in, so that a test can put a crash between two lines. */
import { type Client } from '@temporalio/client';
import { type Operations } from '../operations/registry';
import { type Provider } from '../providers/provider';
import { type Providers } from '../providers/registry';
import { type IntentRow } from '../store/intent-row';
import { type Pool } from '../store/pool';
import { type WorkerMetrics } from '../telemetry/worker-metrics';

/** The moments at which a crash test may kill the process. */
export type CrashPoint =
  'before-attempt' | 'attempt-opened' | 'answer-received' | 'finding-recorded' | 'look-up-answered';

/** Dependencies of all activities. */
export interface Dependencies {
  readonly pool: Pool;
  readonly providers: Providers;
  readonly operations: Operations;
  readonly client: Client;
  readonly metrics: WorkerMetrics;
  /** This worker's name, kept with each attempt that it opens. */
  readonly owner: string;
  /** Called at each crash point; does nothing outside tests. */
  readonly probe: (point: CrashPoint) => void;
}

/** The adapter with the account that an intent was recorded for. Throws where the worker has another. */
export function providerFor(
  providers: Providers,
  { provider: name, providerAccount }: Pick<IntentRow, 'provider' | 'providerAccount'>,
): Provider {
  const provider = providerOf(providers, name);
  if (provider.account !== providerAccount) {
    throw new Error(
      `this worker has credentials of ${name} for ${provider.account}, the intent is of ${providerAccount}`,
    );
  }
  return provider;
}

/** The adapter for an intent's provider. Throws where this worker was not given it. */
export function providerOf(providers: Providers, name: string): Provider {
  const provider = providers.get(name);
  if (provider === undefined) {
    throw new Error(`provider ${name} is not configured in this worker`);
  }
  return provider;
}
