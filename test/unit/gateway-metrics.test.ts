/** What the gateway shows of PostgreSQL's figures, also when there are none. */
import { createGatewayMetrics } from '../../telemetry/gateway-metrics';
import { charge, RECORDED } from '../support/gateway-request';
import { gatewayUnderTest } from '../support/gateway-under-test';

const GROUP = {
  operation: 'payment.charge',
  provider: 'sim-full',
  overdue: 0,
  heldBack: 0,
} as const;

describe('figures', () => {
  it('show the age of the oldest of each status over all providers', async () => {
    const metrics = createGatewayMetrics(['sim-full']);
    metrics.showFigures({
      discrepancies: 2,
      orphans: 4,
      groups: [
        { ...GROUP, status: 'unknown', intents: 3, oldestSeconds: 7, overdue: 1, heldBack: 2 },
        { ...GROUP, provider: 'sim-key', status: 'unknown', intents: 1, oldestSeconds: 90 },
      ],
    });
    const text = await metrics.registry.metrics();
    expect(text).toContain('resolute_oldest_intent_seconds{status="unknown"} 90');
    expect(text).toContain('resolute_oldest_intent_seconds{status="in_review"} 0');
    expect(text).toContain('resolute_overdue_intents 1');
    expect(text).toContain('resolute_discrepancies_open 2');
    expect(text).toContain('resolute_held_back_intents 2');
    expect(text).toContain('resolute_orphan_effects_open 4');
  });

  it('that could not be read are absent: neither the old ones nor 0', async () => {
    const metrics = createGatewayMetrics(['sim-full']);
    const groups = [{ ...GROUP, status: 'unknown', intents: 3, oldestSeconds: 7 } as const];
    metrics.showFigures({ discrepancies: 2, orphans: 4, groups });
    metrics.showFigures(null);
    const lines = (await metrics.registry.metrics()).split('\n');
    const shown = lines.filter((line) =>
      /^resolute_(intents|oldest|overdue|held_back|discrep|orphan)/.test(line),
    );
    expect(shown.filter((line) => !line.startsWith('resolute_intents_recorded'))).toEqual([]);
    expect(lines).toContain('resolute_store_reachable 0');
  });
});

describe('GET /metrics', () => {
  it('asks for no token, and the store once however many scrape', async () => {
    const { app, asked } = gatewayUnderTest({
      'read-figures': [{ discrepancies: 0, orphans: 0, status: null }],
    });
    const replies = await Promise.all([1, 2, 3].map(() => app.inject('/metrics')));
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(replies[0]?.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(asked).toEqual(['read-figures']);
  });

  it('is served while the store is away, and says so', async () => {
    const gone = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const { app } = gatewayUnderTest({
      'read-figures': () => {
        throw gone;
      },
    });
    const { statusCode, body } = await app.inject('/metrics');
    expect(statusCode).toBe(200);
    expect(body).toContain('resolute_store_reachable 0');
  });

  it('counts requests by route: what a caller wrote into a path is no label', async () => {
    const { app } = gatewayUnderTest();
    await app.inject('/v1/intents/canary-path');
    const { body } = await app.inject('/metrics');
    expect(body).toContain('resolute_http_request_seconds_count{method="GET",route="none",status=');
    expect(body).not.toContain('canary');
  });

  it('counts problems by route and name, so that each refusal of a business rule has its number', async () => {
    const { app } = gatewayUnderTest({ 'read-intent': [RECORDED] });
    const body = JSON.stringify({ charge: RECORDED.id, amount: 1, reference: 'r' });
    const url = '/v1/intents/payment.refund';
    for (const { statusCode } of await both(() => app.inject(charge({ url, payload: body })))) {
      expect(statusCode).toBe(409);
    }
    await app.inject('/v2');
    const { body: text } = await app.inject('/metrics');
    const counted = text.split('\n').filter((line) => line.startsWith('resolute_problems_total{'));
    expect(counted.sort()).toEqual([
      `resolute_problems_total{route="${url}",problem="charge-not-refundable"} 2`,
      'resolute_problems_total{route="none",problem="not-found"} 1',
    ]);
  });
});

const both = <Value>(ask: () => Promise<Value>): Promise<Value[]> => Promise.all([ask(), ask()]);
