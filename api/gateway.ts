/** What the routes work with; put together in `main.ts`, or by a test. */
import { type Operations } from '../operations/registry';
import { type Providers } from '../providers/registry';
import { type IntentRow } from '../store/intent-row';
import { type Pool } from '../store/pool';
import { type Surroundings } from './desk/layout';
import { type GatewayMetrics } from '../telemetry/gateway-metrics';
import { type EventWaiters } from './event-waiters';
import { type Fingerprints } from './fingerprint';
import { type RateLimit } from './rate-limit';
import { type LookUpNow } from './look-up-now';
import { type ReadIntent } from './look-up-on-read';
import { type Waiters } from './waiters';

/** Dependencies of the gateway. */
export interface Gateway {
  readonly db: Pool;
  readonly operations: Operations;
  /** Their contracts, and who may notify; the gateway never calls a provider. */
  readonly providers: Pick<Providers, 'get' | 'values'>;
  readonly waiters: Waiters;
  readonly metrics: GatewayMetrics;
  readonly eventWaiters: EventWaiters;
  readonly fingerprints: Fingerprints;
  readonly rateLimit: RateLimit;
  /** Keys the digest of idempotency keys; `fingerprints` has a subkey of it. */
  readonly keyDigestSecret: Buffer;
  readonly deskUrl: string;
  /** Gives a new intent its workflow; false where Temporal did not confirm. Never rejects. */
  readonly startWorkflow: (intent: IntentRow) => Promise<boolean>;
  /** Tells an intent's workflow that the journal has grown. Never rejects; a lost one is repeated. */
  readonly wakeWorkflow: (intent: IntentRow) => Promise<void>;
  /** Has an intent's provider asked at once. */
  readonly lookUpNow: (intent: Pick<IntentRow, 'workflowId'>) => Promise<LookUpNow>;
  /** Tells the run of an intent in doubt that somebody reads it. Returns at once, never throws. */
  readonly intentWasRead: (intent: ReadIntent) => void;
  /** What the desk does not need itself and should tell of. Never rejects. */
  readonly surroundings: () => Promise<Surroundings>;
  /** Never rejects. */
  readonly isTemporalReachable: () => Promise<boolean>;
  readonly now: () => Date;
}
