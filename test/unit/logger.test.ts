import { PassThrough } from 'node:stream';
import { createLogger } from '../../telemetry/logger';

/** What one call writes. */
function written(log: (logger: ReturnType<typeof createLogger>) => void): string {
  const stream = new PassThrough();
  log(createLogger({ program: 'api', level: 'info' }, stream));
  return (stream.read() as Buffer).toString();
}

const SECRET = 'sEcReT';

describe('INV-12: a log line', () => {
  test.each([
    [{ authorization: SECRET }],
    [{ headers: { authorization: `Bearer ${SECRET}`, 'idempotency-key': SECRET } }],
    [{ request: { headers: { authorization: SECRET } } }],
    [{ intent: { idempotency_key: SECRET, idempotencyKey: SECRET } }],
    [{ req: { headers: { cookie: SECRET } } }],
  ])('never shows %j', (fields) => {
    expect(written((logger) => logger.info(fields, 'x'))).not.toContain(SECRET);
  });

  test('of an error shows what went wrong, and not the row that PostgreSQL quotes', () => {
    const error = Object.assign(new Error('violates check'), {
      code: '23514',
      constraint: 'inv6',
      detail: `Failing row contains (${SECRET})`,
      cause: Object.assign(new Error('deeper'), { detail: SECRET }),
    });
    const line = written((logger) => logger.error({ err: error }, 'x'));
    expect(line).not.toContain(SECRET);
    expect(JSON.parse(line)).toMatchObject({
      err: {
        message: 'violates check',
        code: '23514',
        constraint: 'inv6',
        cause: { message: 'deeper' },
      },
    });
  });
});
