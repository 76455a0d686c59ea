/** What only a real connection shows. */
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { BODY, claimed, PATH } from '../support/gateway-request';
import { gatewayUnderTest } from '../support/gateway-under-test';

describe('on the wire', () => {
  const { app, gateway } = gatewayUnderTest(claimed);
  let port = 0;

  beforeAll(async () => {
    await app.listen({ port: 0 });
    port = (app.server.address() as AddressInfo).port;
  });
  afterAll(() => app.close());

  test('B20: two header lines with one key are refused', async () => {
    const status = await new Promise<number | undefined>((resolve) => {
      const sent = httpRequest(
        {
          port,
          path: PATH,
          method: 'POST',
          // Node sends one line for each.
          headers: {
            authorization: 'Bearer t',
            'content-type': 'application/json',
            'idempotency-key': ['k1', 'k1'],
          },
        },
        (response) => resolve(response.resume().statusCode),
      );
      sent.end(JSON.stringify(BODY));
    });
    expect(status).toBe(400);
  });

  const exchanged = (text: string): Promise<string> =>
    new Promise((resolve) => {
      let received = '';
      const socket = connect({ port }, () => socket.write(text));
      socket.on('data', (data) => (received += data.toString()));
      socket.on('close', () => resolve(received));
    });

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', '400'],
    [
      'a control character in a key',
      `POST ${PATH} HTTP/1.1\r\nIdempotency-Key: a\u0001\r\n\r\n`,
      '400',
    ],
    ['endless header fields', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
  ])('%s is answered in our own form', async (_, text, status) => {
    const reply = await exchanged(text);
    expect(reply.split(' ')[1]).toBe(status);
    expect(reply).toContain('application/problem+json');
  });

  const lines = (...more: readonly string[]): string => {
    const body = JSON.stringify(BODY);
    const usual = ['Connection: close', 'Idempotency-Key: k', 'Prefer: respond-async'];
    const all = [...usual, ...more, `Content-Length: ${body.length}`];
    return `POST ${PATH} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`;
  };
  const [HOST, TOKEN, TYPE] = [
    'Host: x',
    'Authorization: Bearer t',
    'Content-Type: application/json',
  ];

  test.each<[title: string, text: string, status: number, problem: string]>([
    ['an expectation that nobody knows', lines(HOST, TOKEN, TYPE, 'Expect: wonders'), 202, ''],
    ['a body that is announced', lines(HOST, TOKEN, TYPE, 'Expect: 100-continue'), 202, ''],
    ['no Host', lines(TOKEN, TYPE), 400, 'malformed-request'],
    ['two Hosts', lines(HOST, HOST, TOKEN, TYPE), 400, 'malformed-request'],
    ['two tokens', lines(HOST, TOKEN, 'authorization: Bearer u', TYPE), 400, 'malformed-request'],
    [
      'two media types',
      lines(HOST, TOKEN, TYPE, 'Content-Type: text/plain'),
      400,
      'malformed-request',
    ],
    [
      'a second key behind thousands of fields',
      lines(HOST, TOKEN, TYPE, ...Array<string>(2_200).fill('a:'), 'Idempotency-Key: l'),
      400,
      'invalid-idempotency-key',
    ],
  ])('%s is taken or refused as the standard has it', async (...row) => {
    const [, text, status, problem] = row;
    const reply = (await exchanged(text)).replace('HTTP/1.1 100 Continue\r\n\r\n', '');
    expect(Number(reply.split(' ')[1])).toBe(status);
    expect(reply).toContain(problem === '' ? '"status":"accepted"' : `"/problems/${problem}"`);
  });

  test('a body in a coding that nobody undoes is 415', async () => {
    const text = `POST ${PATH} HTTP/1.1\r\n${[HOST, TOKEN, TYPE].join('\r\n')}\r\nIdempotency-Key: k\r\nConnection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    expect((await exchanged(text)).split(' ')[1]).toBe('415');
  });

  test('a caller that leaves no longer waits', async () => {
    const sent = httpRequest({
      port,
      path: PATH,
      method: 'POST',
      headers: {
        authorization: 'Bearer t',
        'idempotency-key': 'k1',
        'content-type': 'application/json',
        prefer: 'wait=60',
      },
    });
    sent.on('error', () => undefined);
    sent.end(JSON.stringify(BODY));
    while (gateway.waiters.size === 0) await new Promise(setImmediate);
    sent.destroy();
    while (gateway.waiters.size > 0) await new Promise(setImmediate);
    expect(gateway.waiters.keys).toEqual([]);
  });
});

describe('a caller who sends slower than the limits allow', () => {
  const { app, asked, started } = gatewayUnderTest(
    claimed,
    {},
    { receiveHeadersMs: 500, receiveRequestMs: 1_000 },
  );
  let port = 0;

  beforeAll(async () => {
    await app.listen({ port: 0 });
    port = (app.server.address() as AddressInfo).port;
  });
  afterAll(() => app.close());

  test.each([
    ['header fields', `POST ${PATH} HTTP/1.1\r\nHost: x\r\n`, 'X-Slow: 1\r\n', []],
    [
      'the body',
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      ' ',
      // The token is looked up as soon as the header fields are there.
      ['find-caller'],
    ],
  ])('%s is 408 and cut off, and leaves nothing behind', async (...row) => {
    const [, beginning, more, expected] = row;
    asked.length = 0;
    const reply = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect({ port }, () => socket.write(beginning));
      // One piece after the other, so that the connection is never idle.
      const dripping = setInterval(() => socket.write(more), 50);
      socket.on('data', (data) => (received += data.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(dripping);
        resolve(received);
      });
    });
    expect(reply.split(' ')[1]).toBe('408');
    expect(reply).toContain('/problems/request-timeout');
    expect([asked, started]).toEqual([expected, []]);
  });
});
