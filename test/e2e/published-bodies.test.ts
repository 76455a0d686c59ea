/**
 * What the published document says may be sent is taken by the gateway that publishes it: each example,
 * nothing but the required members, and each provider by name, for tenants as the demo has them.
 */
import { randomBytes } from 'node:crypto';
import { charge, exchange, type Reply } from '../support/intent-client';
import { sharedStack } from '../support/shared-stack';

const { ready } = sharedStack();
const { token } = ready.tenants.acme;

type Members = Readonly<Record<string, unknown>>;

/** A body of the document's, and what it is called there. */
interface Published {
  readonly path: string;
  readonly schema: {
    readonly required: readonly string[];
    readonly properties: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
  };
  readonly example: Members;
}

interface OperationObject {
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        {
          readonly schema: Published['schema'];
          readonly examples?: { readonly usual: { readonly value: Members } };
        }
      >
    >;
  };
}

let published: readonly Published[];

beforeAll(async () => {
  const { body } = await exchange(`${ready.api}/openapi.json`, { token });
  const paths = body['paths'] as Readonly<Record<string, { readonly post?: OperationObject }>>;
  published = Object.entries(paths).flatMap(([path, { post }]) => {
    const { schema, examples } = post?.requestBody?.content['application/json'] ?? {};
    return schema === undefined || examples === undefined
      ? []
      : [{ path, schema, example: examples.usual.value }];
  });
});

const unique = (): string => randomBytes(8).toString('hex');

async function succeededCharge(): Promise<string> {
  const { body } = await charge(ready.api, { reference: unique() }, { token, key: unique() });
  expect(body['status']).toBe('succeeded');
  return String(body['id']);
}

/** The names in it are of this test alone; what it refers to exists. */
async function freshened(body: Members): Promise<Members> {
  return {
    ...body,
    ...('reference' in body && { reference: unique() }),
    ...('charge' in body && { charge: await succeededCharge() }),
    ...('decision_id' in body && { decision_id: unique() }),
  };
}

async function send(path: string, body: Members): Promise<Reply> {
  const isDecision = path in ANSWERS;
  const url = isDecision ? path.replace('{id}', await succeededCharge()) : path;
  return exchange(`${ready.api}${url}`, {
    token: isDecision ? ready.operators.olive.token : token,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(isDecision ? {} : { 'idempotency-key': unique(), prefer: 'wait=30' }),
    },
    body: JSON.stringify(await freshened(body)),
  });
}

/** What each path says to a body that it understands; where nothing is named, that the effect is had. */
const ANSWERS: Readonly<Record<string, readonly [status: number, problem: string]>> = {
  // Read, and too late for an intent that has ended, without a discrepancy.
  '/v1/intents/{id}/decisions': [409, 'too-late'],
  '/v1/intents/{id}/approve': [409, 'too-late'],
  '/v1/intents/{id}/discrepancy/close': [409, 'not-open'],
  // Nobody has seen such an effect.
  '/v1/orphan-effects/close': [404, 'not-found'],
};

async function takenOnes(bodies: (one: Published) => readonly Members[]): Promise<number> {
  let taken = 0;
  for (const one of published) {
    for (const body of bodies(one)) {
      const { status, problem, body: answer } = await send(one.path, body);
      const [expected, why] = ANSWERS[one.path] ?? [201, undefined];
      expect({ path: one.path, body, status, problem, errors: answer['errors'] }).toEqual({
        ...{ path: one.path, body, status: expected, problem: why },
        errors: undefined,
      });
      taken += 1;
    }
  }
  return taken;
}

test('each example is taken', async () => {
  expect(await takenOnes(({ example }) => [example])).toBeGreaterThanOrEqual(4);
}, 60_000);

test('the required members are enough', async () => {
  const onlyRequired = ({ schema, example }: Published): Members[] => [
    Object.fromEntries(schema.required.map((name) => [name, example[name]])),
  ];
  expect(await takenOnes(onlyRequired)).toBeGreaterThanOrEqual(4);
}, 60_000);

test('each provider that is listed serves', async () => {
  const byProvider = ({ schema, example }: Published): Members[] =>
    (schema.properties['provider']?.enum ?? []).map((provider) => ({ ...example, provider }));
  // Four of payments, two of messages.
  expect(await takenOnes(byProvider)).toBe(6);
}, 60_000);
