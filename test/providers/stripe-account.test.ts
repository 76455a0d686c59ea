/** Stripe says whose key it is, in the words of docs.stripe.com/api/accounts/retrieve. */
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { stripeAt } from '../support/stripe-charge';

let server: Server | undefined;
afterEach(async () => {
  await new Promise((resolve) => server?.close(resolve));
});

/** The check against a server that answers so. */
async function against(status: number, body: string) {
  const paths: (string | undefined)[] = [];
  server = createServer((request, response) => {
    paths.push(request.url);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider = stripeAt(`http://127.0.0.1:${port}`);
  const check = await provider.checkAccount?.(performance.now() + 5_000);
  await provider.close();
  expect(paths).toEqual(['/v1/account']);
  return check;
}

const account = (id: string) => JSON.stringify({ object: 'account', id, country: 'DE' });

it('the account that is configured', async () => {
  expect(await against(200, account('acct_123'))).toEqual({ kind: 'same' });
});

it.each(['acct_12', 'acct_1234', 'acct_999'])('%s is another one', async (id) => {
  const check = await against(200, account(id));
  expect(check).toMatchObject({ kind: 'other', why: expect.stringContaining(id) as string });
});

it.each([
  [403, '{"error":{"type":"invalid_request_error"}}'],
  [200, '{"object":"list"}'],
  [200, 'no JSON'],
  [500, ''],
])('answer %i %s: nobody knows', async (status, body) => {
  expect(await against(status, body)).toEqual({ kind: 'unknown', why: `answer ${status}` });
});
