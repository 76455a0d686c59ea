/**
 * A gateway without its store: the statements that it sends are answered here by their names, so a
 * test can say what the store holds, count what it was asked, or let it fail. What SQL does is tested
 * against PostgreSQL elsewhere.
 */
import { type Logger, pino } from 'pino';
import { createGatewayMetrics } from '../../telemetry/gateway-metrics';
import { type Gateway } from '../../api/gateway';
import { EventWaiters } from '../../api/event-waiters';
import { createFingerprints } from '../../api/fingerprint';
import { type Limits, LIMITS } from '../../api/limits';
import { createRateLimit } from '../../api/rate-limit';
import { createServer } from '../../api/server';
import { Waiters } from '../../api/waiters';
import { createOperations } from '../../operations/registry';
import { type Provider } from '../../providers/provider';
import { type Caller } from '../../store/callers';
import { type IntentRow } from '../../store/intent-row';
import { type Pool } from '../../store/pool';
import { intentRow } from './intent-row';

/** A statement as `pg` is given it. */
interface Statement {
  readonly name?: string;
  readonly values?: readonly unknown[];
}

type Callback = (error: unknown, result?: unknown) => void;

/** Rows by statement name; a function may look at the values, or throw. */
export type Answers = Readonly<
  Record<string, readonly unknown[] | ((values: readonly unknown[]) => readonly unknown[])>
>;

export const ACME: Caller = {
  tenant: 'acme',
  actor: 'acme-demo',
  scopes: ['charge', 'refund', 'read', 'cancel'],
  defaultProvider: 'sim-full',
};
export const OPERATOR: Caller = {
  tenant: null,
  actor: 'olive',
  scopes: ['operate', 'read'],
  defaultProvider: null,
};

/** What a look for the holder of no valid token brings. */
const NOBODY = { tenant: null, actor: null, scopes: null, defaultProvider: null };

/** Statements that travel together (store/one-trip.ts): for each ask who it is for, then what is asked. */
interface Trip {
  readonly statements: readonly Required<Statement>[];
}

/** A store of answers, and the names of what it was asked. */
function fakeStore(answers: Answers) {
  const asked: string[] = [];
  const rowsOf = (name: string, values: readonly unknown[]): readonly unknown[] => {
    asked.push(name);
    const answer = answers[name] ?? [];
    return typeof answer === 'function' ? answer(values) : answer;
  };
  const resultsOf = ({ statements }: Trip) =>
    statements.map(({ name, values }) => {
      if (name === 'act-for-tenant') return { rows: [] };
      if (name !== 'act-for-holder') return { rows: rowsOf(name, values) };
      const [caller = NOBODY] = rowsOf('find-caller', values);
      return { rows: [caller] };
    });
  const query = (asking: Statement | Trip | string, _values?: undefined, callback?: Callback) => {
    const answered = Promise.resolve().then(() => {
      if (typeof asking === 'object' && 'statements' in asking) return resultsOf(asking);
      const { name = 'unnamed', values = [] } = typeof asking === 'string' ? {} : asking;
      return { rows: rowsOf(name, values) };
    });
    // As `pg` does: who gives a function is told by it.
    if (callback === undefined) return answered;
    return answered.then((result) => callback(undefined, result), callback);
  };
  // Of the pool the gateway uses `query` alone.
  return { asked, db: { query } as unknown as Pool };
}

const { contract } = intentRow();
const provider = {
  name: 'sim-full',
  account: 'default',
  contracts: { charge: contract, refund: contract },
  readNotification: null,
};

/** The secret of the gateways below, and what their fingerprints are. */
const KEY_DIGEST_SECRET = Buffer.alloc(32, 7);
export const FINGERPRINTS = createFingerprints(KEY_DIGEST_SECRET);

interface Surroundings extends Partial<Limits> {
  readonly log?: Logger;
}

/** A server over such a store; `started` lists the intents whose workflow was asked for. */
export function gatewayUnderTest(
  answers: Answers = {},
  changes: Partial<Gateway> = {},
  { log = pino({ level: 'silent' }), ...limits }: Surroundings = {},
) {
  const { asked, db } = fakeStore({ 'find-caller': [ACME], ...answers });
  const started: IntentRow[] = [];
  const gateway: Gateway = {
    db,
    operations: createOperations([provider]),
    // The gateway reads contracts only; sending is the worker's.
    providers: new Map([[provider.name, provider as unknown as Provider]]),
    waiters: new Waiters(),
    metrics: createGatewayMetrics([provider.name]),
    eventWaiters: new EventWaiters({
      whoCanReadOn: () => Promise.resolve([]),
      onError: () => undefined,
    }),
    fingerprints: FINGERPRINTS,
    rateLimit: createRateLimit(LIMITS.requestsPerSecond),
    keyDigestSecret: KEY_DIGEST_SECRET,
    deskUrl: 'http://desk/workflows',
    startWorkflow: (intent) => {
      started.push(intent);
      return Promise.resolve(true);
    },
    wakeWorkflow: () => Promise.resolve(),
    lookUpNow: () => Promise.resolve({ kind: 'asking' }),
    intentWasRead: () => undefined,
    surroundings: () => Promise.resolve({ temporal: true, worker: true }),
    isTemporalReachable: () => Promise.resolve(true),
    now: () => new Date('2026-01-01T00:00:01.000Z'),
    ...changes,
  };
  const app = createServer(gateway, log, { ...LIMITS, ...limits });
  return { gateway, asked, started, app };
}
