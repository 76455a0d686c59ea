/**
 * What is measured against what is true: metrics scraped in a run of faults equal the provider's ledger
 * and PostgreSQL wherever they count the same thing, and one charge is one connected trace.
 */
import { startSettlement } from '../../orchestration/start-settlement';
import { endsTheWait, type Status } from '../../domain/status';
import { closeDiscrepancy } from '../../store/close-discrepancy';
import { type IntentRow } from '../../store/intent-row';
import { keepOrphan } from '../../store/listed-intents';
import { closeOrphan, readOrphans } from '../../store/orphan-effects';
import { recordFinding } from '../../store/record-finding';
import { charge, exchange, type Reply } from '../support/intent-client';
import { resoluteJson } from '../support/resolute';
import { settleThroughApi } from '../support/settle-through-api';
import { scrape } from '../support/scrape';
import { type LedgerCall } from '../support/simulator-client';
import { startCollector } from '../support/trace-collector';
import { until } from '../support/until';
import { watchedWorld } from '../support/watched-world';

const STARTS_MS = 120_000;

interface Case {
  readonly provider: string;
  readonly fault?: string;
  readonly times?: number;
  readonly query?: string;
}

const times = (count: number, one: Case): readonly Case[] =>
  Array.from({ length: count }, () => one);

/** What the provider does to each of the intents. */
const RUN: readonly Case[] = [
  ...times(6, { provider: 'sim-full' }),
  ...times(3, { provider: 'sim-lookup' }),
  ...times(3, { provider: 'sim-full', fault: 'decline' }),
  ...times(4, { provider: 'sim-full', fault: 'timeout-after-effect' }),
  ...times(2, { provider: 'sim-lookup', fault: 'reset-before-effect' }),
  ...times(2, { provider: 'sim-key', fault: 'timeout-after-effect' }),
  { provider: 'sim-full', fault: 'timeout-before-effect', times: 3 },
  { provider: 'sim-full', fault: 'timeout-after-effect', query: 'twice' },
  { provider: 'sim-blind', fault: 'reset-after-effect' },
  { provider: 'sim-full', fault: 'pending' },
];

const SILENT = { source: 'look_up', finding: 'unknown' };

type World = Awaited<ReturnType<typeof watchedWorld>>;
let collector: Awaited<ReturnType<typeof startCollector>>;
let world: World;
const replies: Reply[] = [];
const sources = RUN.map((one, index) => `metered-${index}-${one.provider}`);

beforeAll(async () => {
  collector = await startCollector();
  world = await watchedWorld(collector.url);
}, STARTS_MS);
afterAll(async () => {
  await world.close();
  collector.close();
}, STARTS_MS);

/** One request for case `index`; with `changes` it is another one. */
async function send(
  index: number,
  changes: { amount?: number; key?: string } = {},
): Promise<Reply> {
  const { key = `keyed-${index}`, amount = 1000 } = changes;
  const source = sources[index] ?? '';
  const body = { source, reference: source, amount, provider: RUN[index]?.provider ?? '' };
  const reply = await charge(world.api, body, { token: world.token, key, wait: 0 });
  replies.push(reply);
  return reply;
}

async function rows<Row extends object>(sql: string): Promise<readonly Row[]> {
  return (await world.database.owner.query<Row>(sql)).rows;
}

async function number(sql: string): Promise<number> {
  const [row] = await rows<{ n: number }>(sql);
  return Number(row?.n);
}

describe('a run of faults', () => {
  beforeAll(async () => {
    for (const [index, { fault, times: repeated = 1, query }] of RUN.entries()) {
      const match = { source: sources[index] ?? '' };
      if (fault !== undefined) {
        await world.simulator.programme({ on: 'charge', do: fault, times: repeated, match });
      }
      if (query !== undefined) {
        await world.simulator.programme({ on: 'query', do: query, times: 'always', match });
      }
    }
    await Promise.all(RUN.map((_, index) => send(index)));
    await until(
      'all but the pending one end their wait',
      async () => {
        const open = await rows<{ status: Status }>('select status from intents');
        return open.filter(({ status }) => !endsTheWait(status)).length === 1 || undefined;
      },
      60_000,
    );
    // Repeats, repeats that are none, other keys for what is there.
    await Promise.all([send(0), send(0), send(1), send(7), send(13)]);
    await Promise.all([send(0, { amount: 2000 }), send(2, { amount: 1 })]);
    await Promise.all([send(3, { key: 'another' }), send(4, { key: 'one-more' })]);
    await secondRun();
    await decide();
  }, STARTS_MS);

  const blind = async (): Promise<IntentRow> => {
    const source = sources[RUN.findIndex(({ provider }) => provider === 'sim-blind')];
    const [found] = await rows<{ id: string }>(
      `select id from intents where business_key = '${source ?? ''}'`,
    );
    return world.read(found?.id ?? '');
  };

  /** An outcome that the gateway commits. */
  async function decide(): Promise<void> {
    const { token } = await resoluteJson<{ token: string }>(
      ...([world.database.ownerUrl, 'operator', 'create', 'olga'] as const),
    );
    const reply = await exchange(`${world.api}/v1/intents/${(await blind()).id}/decisions`, {
      token,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        decision_id: 'by-the-test',
        decision: 'applied',
        evidence: 'the ledger',
        reason: 'it is there',
      }),
    });
    expect([reply.status, reply.body['status']]).toEqual([200, 'succeeded']);
  }

  /** Both processes together: either may commit. */
  async function scrapeBoth() {
    const [api, worker] = await Promise.all([
      scrape(world.apiMetrics),
      scrape(world.workerMetrics),
    ]);
    const sum: typeof api.sum = (...about) => api.sum(...about) + worker.sum(...about);
    return { sum };
  }

  /** A run that knows nothing of the first: it wants to send, and must not. */
  async function secondRun(): Promise<void> {
    const intent = await blind();
    await world.client.workflow.getHandle(intent.workflowId).terminate('by the test');
    await startSettlement(world.client, { ...intent, intentId: intent.id });
    await until('the second run was refused its permit', async () => {
      const seen = await scrape(world.workerMetrics);
      return seen.sum('resolute_redundant_effects_prevented_total') > 0 || undefined;
    });
  }

  /** Everything at one moment: look-ups of what is pending go on, so it is taken between two. */
  function atRest<Value>(look: () => Promise<Value>): Promise<Value> {
    return until('nothing changes while we look', async () => {
      const before = (await scrape(world.workerMetrics)).sum('resolute_findings_total');
      const value = await look();
      const after = (await scrape(world.workerMetrics)).sum('resolute_findings_total');
      return before === after ? value : undefined;
    });
  }

  const calls = async (kind: string): Promise<readonly LedgerCall[]> =>
    (await Promise.all(sources.map((source) => world.simulator.ledger(source))))
      .flatMap((ledger) => ledger.calls)
      .filter(({ call }) => call === kind);

  it('requests: recorded, repeated, refused, answered', async () => {
    const api = await scrape(world.apiMetrics);
    expect(api.sum('resolute_intents_recorded_total')).toBe(RUN.length);
    expect(await number('select count(*) as n from intents')).toBe(RUN.length);
    expect(api.sum('resolute_repeats_served_total')).toBe(5);
    expect(api.sum('resolute_fingerprint_conflicts_total')).toBe(2);
    expect(api.sum('resolute_business_key_conflicts_total')).toBe(2);
    const problems = new Set(replies.map(({ problem }) => problem ?? ''));
    for (const problem of [...problems].filter((name) => name !== '')) {
      const answered = replies.filter((reply) => reply.problem === problem).length;
      const counted = api.sum('resolute_problems_total', { problem });
      expect([problem, counted]).toEqual([problem, answered]);
    }
    expect(problems).toContain('business-key-taken');
    const route = { method: 'POST', route: '/v1/intents/payment.charge' };
    for (const status of [201, 202, 402, 409, 422]) {
      const answered = replies.filter((reply) => reply.status === status).length;
      const labels = { ...route, status: String(status) };
      expect([status, api.sum('resolute_http_request_seconds_count', labels)]).toEqual([
        status,
        answered,
      ]);
    }
    expect(api.sum('resolute_waiters')).toBe(0);
  });

  it('sends and look-ups are as many as rows, and as the provider received', async () => {
    await atRest(async () => {
      const worker = await scrape(world.workerMetrics);
      const opened = worker.sum('resolute_attempts_opened_total');
      expect(opened).toBe(await number('select count(*) as n from attempts'));
      // On a busy machine a send may run out of its budget before a byte leaves: nobody received it.
      const unsent = { source: 'response', finding: 'not_sent' };
      const left = opened - worker.sum('resolute_findings_total', unsent);
      expect(left).toBe((await calls('charge')).length);
      expect(worker.sum('resolute_provider_call_seconds_count', { call: 'apply' })).toBe(opened);
      expect(worker.sum('resolute_findings_total', { source: 'response' })).toBe(opened);
      return true;
    });
    const [counted, silent, stored, received] = await atRest(async () => [
      (await scrape(world.workerMetrics)).sum('resolute_findings_total', { source: 'look_up' }),
      (await scrape(world.workerMetrics)).sum('resolute_findings_total', SILENT),
      await number("select count(*) as n from observations where source = 'look_up'"),
      (await calls('query')).length,
    ]);
    expect(counted).toBeGreaterThan(5);
    expect(counted).toBe(stored);
    // One without an answer may not have arrived; on an idle machine there is none.
    expect(received).toBeLessThanOrEqual(counted);
    expect(received).toBeGreaterThanOrEqual(counted - silent);
  });

  it('outcomes by status and provider, and what they took', async () => {
    const worker = await scrapeBoth();
    const ended = await rows<{ status: string; provider: string; n: number }>(
      `select status, provider, count(*) as n from intents where finalised_at is not null
       group by status, provider`,
    );
    expect(ended.length).toBeGreaterThan(3);
    for (const { status, provider, n } of ended) {
      expect(worker.sum('resolute_outcomes_total', { status, provider })).toBe(n);
    }
    const all = await number('select count(*) as n from intents where finalised_at is not null');
    expect(worker.sum('resolute_outcomes_total')).toBe(all);
    expect(worker.sum('resolute_time_to_proof_seconds_count')).toBe(all);
    // Proven by the answer to the only send: most of those that went well or were declined.
    const direct = await number(
      `select count(*) as n from intents where finalised_at is not null
       and (select count(*) from attempts where intent = intents.id) = 1
       and (select array_agg(source) from observations where intent = intents.id) = '{response}'`,
    );
    expect(direct).toBeGreaterThan(0);
    expect(worker.sum('resolute_time_to_proof_seconds_count', { path: 'direct' })).toBe(direct);
    expect((await scrape(world.apiMetrics)).sum('resolute_outcomes_total')).toBe(1);
    const seconds = await number(
      `select extract(epoch from sum(finalised_at - created_at)) as n from intents`,
    );
    expect(Math.abs(worker.sum('resolute_time_to_proof_seconds_sum') - seconds)).toBeLessThan(
      all / 2,
    );
    const ofEnded = 'join intents on intents.id = intent where finalised_at is not null';
    expect(worker.sum('resolute_look_ups_per_outcome_sum')).toBe(
      await number(`select count(*) as n from observations ${ofEnded} and source = 'look_up'`),
    );
    expect(worker.sum('resolute_attempts_per_outcome_sum')).toBe(
      await number(`select count(*) as n from attempts ${ofEnded}`),
    );
    expect(worker.sum('resolute_attempts_used_up_total')).toBe(
      await number("select count(*) as n from intents where reason like '%given up%'"),
    );
    expect(worker.sum('resolute_attempts_used_up_total')).toBe(1);
  });

  it('what came in front of a person, and second effects: seen, and prevented', async () => {
    const worker = await scrapeBoth();
    expect(worker.sum('resolute_reviews_total')).toBe(
      await number("select count(*) as n from intent_events where type like '%in_review'"),
    );
    expect(worker.sum('resolute_redundant_effects_seen_total')).toBe(1);
    expect(worker.sum('resolute_redundant_effects_prevented_total')).toBe(1);
  });

  it('the intents that are open, by status, with the age of the oldest', async () => {
    const open = await rows<{ status: string; n: number }>(
      'select status, count(*) as n from intents where finalised_at is null group by status',
    );
    const api = await scrape(world.apiMetrics);
    expect(open.map(({ status }) => status).sort()).toEqual(['in_review', 'pending']);
    for (const { status, n } of open) {
      expect(api.sum('resolute_intents', { status })).toBe(n);
    }
    expect(api.sum('resolute_intents')).toBe(2);
    const oldest = await number(
      'select extract(epoch from clock_timestamp() - min(review_since)) as n from intents',
    );
    const shown = api.sum('resolute_oldest_intent_seconds', { status: 'in_review' });
    expect(Math.abs(oldest - shown)).toBeLessThan(6);
    expect(api.sum('resolute_oldest_intent_seconds', { status: 'unknown' })).toBe(0);
    expect([api.sum('resolute_store_reachable'), api.sum('resolute_temporal_reachable')]).toEqual([
      1, 1,
    ]);
    expect(api.sum('resolute_overdue_intents')).toBe(0);
    expect(api.sum('resolute_held_back_intents')).toBe(0);
  });

  it('effects: what is counted as succeeded is what the provider has, but for what is not ended', async () => {
    const both = await scrapeBoth();
    const ledgers = await Promise.all(sources.map((source) => world.simulator.ledger(source)));
    const there = ledgers.flatMap(({ effects }) => effects).filter(({ kind }) => kind === 'charge');
    const open = (await scrape(world.apiMetrics)).sum('resolute_intents');
    expect(both.sum('resolute_outcomes_total', { status: 'succeeded' }) + open).toBe(there.length);
  });

  it('calls by finding are the findings, look-ups among them', async () => {
    await atRest(async () => {
      const worker = await scrape(world.workerMetrics);
      for (const [call, source] of [
        ['apply', 'response'],
        ['look_up', 'look_up'],
      ] as const) {
        const stored = await rows<{ finding: string; n: number }>(
          `select finding ->> 'kind' as finding, count(*) as n from observations
           where source = '${source}' group by 1`,
        );
        expect(stored.length).toBeGreaterThan(1);
        for (const { finding, n } of stored) {
          const counted = worker.sum('resolute_provider_call_seconds_count', { call, finding });
          expect([finding, counted]).toEqual([finding, n]);
        }
      }
      return true;
    });
  });

  it('discrepancies opened and open, effects without an intent, and what a closing takes away', async () => {
    const declined = RUN.findIndex(({ fault }) => fault === 'decline');
    const [failed] = await rows<{ id: string }>(
      `select id from intents where business_key = '${sources[declined] ?? ''}'`,
    );
    const id = failed?.id ?? '';
    await recordFinding(world.database.worker, {
      ...{ intentId: id, effect: 'apply', attempt: null, source: 'look_up' },
      ...{ finding: { kind: 'applied', providerId: 'ch_late' }, askedAt: Date.now() - 10 },
    });
    const orphan = { provider: 'sim-full', providerId: 'ch_orphan', about: id };
    await keepOrphan(world.database.worker, orphan);
    const gauges = async () => {
      const api = await scrape(world.apiMetrics);
      return ['discrepancies', 'orphan_effects'].map((one) => api.sum(`resolute_${one}_open`));
    };
    // The reconciler finds more: the simulator's other effects are of other tests' databases.
    const shows = (discrepancies: number, isOurs: boolean) =>
      until(`the gauges show ${discrepancies} and what is stored`, async () => {
        const open = await readOrphans(world.database.api, 100_000);
        if (open.some(({ providerId }) => providerId === orphan.providerId) !== isOurs) return;
        return (await gauges()).join() === [discrepancies, open.length].join() ? true : undefined;
      });
    await shows(1, true);
    const { discrepancySince } = await world.read(id);
    const grounds = { evidence: 'the ledger', reason: 'by the test', operator: 'olga' };
    await closeDiscrepancy(world.database.api, {
      ...{ intentId: id, decisionId: 'closes', since: discrepancySince ?? new Date(0) },
      ...{ closing: 'outcome_stands', ...grounds },
    });
    await shows(0, true);
    await closeOrphan(world.database.api, { ...orphan, decisionId: 'closes-too', ...grounds });
    await shows(0, false);
  });

  it('every line about an intent carries its id', async () => {
    const answered = world.logs.gateway.filter(
      ({ msg, path }) => msg === 'answered' && path === '/v1/intents/payment.charge',
    );
    expect(answered.length).toBe(replies.length);
    const ids = (await rows<{ id: string }>('select id from intents')).map(({ id }) => id);
    expect(answered.filter(({ intent }) => !ids.includes(String(intent)))).toEqual([]);
    const settling = world.logs.worker.filter(
      ({ workflowType }) => workflowType === 'settleIntent',
    );
    expect(settling.filter(({ intent }) => !ids.includes(String(intent)))).toEqual([]);
  });

  it('no label, no name and no line of a log holds what callers entrusted (INV-12)', async () => {
    const texts = [
      (await scrape(world.apiMetrics)).text,
      (await scrape(world.workerMetrics)).text,
      (await scrape(world.sdkMetrics)).text,
      JSON.stringify(world.logs),
      collector.bodies.join('\n'),
    ];
    const pieces = [world.token, ...sources, 'keyed-', 'acme'];
    const hits = texts.map((text) => pieces.filter((piece) => text.includes(piece)));
    // A workflow's id names its tenant; it is on spans and on lines of the SDK.
    expect(hits.map((found) => found.filter((piece) => piece !== 'acme'))).toEqual(
      texts.map(() => []),
    );
    expect(hits.slice(0, 3)).toEqual([[], [], []]);
  });
});

describe('a trace', () => {
  const CALLER = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };

  it('goes from the request to the statements of the activity, and the intent is on it', async () => {
    const source = 'traced';
    const reply = await fetch(`${world.api}/v1/intents/payment.charge`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.token}`,
        'content-type': 'application/json',
        'idempotency-key': source,
        traceparent: `00-${CALLER.trace}-${CALLER.span}-01`,
        tracestate: 'vendor=canary-state',
        baggage: 'payer=canary-baggage',
      },
      body: JSON.stringify({ amount: 1000, currency: 'EUR', source, reference: source }),
    });
    expect(reply.status).toBe(201);
    const { id } = (await reply.json()) as { id: string };
    const spans = () => collector.spans.filter(({ traceId }) => traceId === CALLER.trace);
    await until('the last spans arrive', () => {
      const names = spans().map(({ name }) => name);
      const last = [
        'POST /v1/intents/payment.charge',
        'RunActivity:send',
        'RunWorkflow:settleIntent',
      ];
      return last.every((name) => names.includes(name)) || undefined;
    });
    const ids = new Set([CALLER.span, ...spans().map(({ spanId }) => spanId)]);
    expect(spans().filter(({ parentSpanId = '' }) => !ids.has(parentSpanId))).toEqual([]);
    expect(spans().map(({ program, name }) => `${program}: ${name}`)).toEqual(
      expect.arrayContaining([
        'resolute-api: POST /v1/intents/payment.charge',
        'resolute-api: sql find-intent',
        'resolute-api: sql claim-intent',
        'resolute-api: StartWorkflow:settleIntent',
        'resolute-worker: RunWorkflow:settleIntent',
        'resolute-worker: RunActivity:send',
        'resolute-worker: sql open-attempt, write-standing, commit',
        'resolute-worker: sim-full apply',
        // Where the provider failed lately its circuit is written before COMMIT.
        expect.stringMatching(/^resolute-worker: sql insert-observation, write-standing/),
      ]),
    );
    const unnamed = spans().filter(({ attributes }) => attributes['resolute.intent'] !== id);
    // Before the identity is claimed nobody knows which intent it will be.
    const names = new Set(unnamed.map(({ name }) => name));
    // Asked by itself only where the gateway has not met the token yet.
    names.delete('sql find-caller');
    expect(names).toEqual(new Set(['sql find-intent', 'sql claim-intent']));
    await historyIsTheUsualOne(id);
  });

  async function historyIsTheUsualOne(id: string): Promise<void> {
    const { workflowId } = await world.read(id);
    const history = await world.client.workflow.getHandle(workflowId).fetchHistory();
    expect(history.events).toHaveLength(11);
    const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    const header = Buffer.from(started?.header?.fields?.['_tracer-data']?.data ?? []).toString();
    expect(Object.keys(JSON.parse(header) as object)).toEqual(['traceparent']);
    expect(collector.bodies.join('\n')).not.toContain('canary-');
  }

  it('of a caller who sends none begins at the gateway', async () => {
    const options = { token: world.token, key: 'untraced' };
    await settleThroughApi(world.api, { source: 'untraced', reference: 'untraced' }, options);
    const roots = () =>
      collector.spans.filter(
        ({ name, parentSpanId }) =>
          name === 'POST /v1/intents/payment.charge' && (parentSpanId ?? '') === '',
      );
    await until('it arrives', () => roots().length > RUN.length || undefined);
  });
});

it("the SDK's own metrics are served beside ours", async () => {
  const sdk = await scrape(world.sdkMetrics);
  expect(sdk.sum('temporal_workflow_completed_total')).toBeGreaterThan(5);
  expect(sdk.samples.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['temporal_activity_schedule_to_start_latency_seconds_count']),
  );
});
