/** What an operator is told who wants the provider asked. */
import { type LookUpNow } from '../../api/look-up-now';
import { RECORDED } from '../support/gateway-request';
import { ACME, gatewayUnderTest, OPERATOR } from '../support/gateway-under-test';

const ANSWERS = { 'find-caller': [OPERATOR], 'read-intent': [RECORDED] };

async function lookUp(answers: object, outcome: LookUpNow) {
  const asked: string[] = [];
  const { app } = gatewayUnderTest(
    { ...answers },
    {
      lookUpNow: ({ workflowId }) => {
        asked.push(workflowId);
        return Promise.resolve(outcome);
      },
    },
  );
  const { statusCode, headers, payload } = await app.inject({
    method: 'POST',
    url: `/v1/intents/${RECORDED.id}/look-up`,
    headers: { authorization: 'Bearer t' },
  });
  const body = JSON.parse(payload) as Readonly<Record<string, string>>;
  const problem = body['type']?.split('/').at(-1);
  return { statusCode, headers, body, problem, asked };
}

it('202 where the run asks', async () => {
  const { statusCode, body, asked } = await lookUp(ANSWERS, { kind: 'asking' });
  expect([statusCode, asked]).toEqual([202, [RECORDED.workflowId]]);
  expect(body['message']).toMatch(/^sim-full is being asked/);
});

it('409 with the reason where there is nothing to ask', async () => {
  const why = 'Nothing was sent yet: there is nothing to ask.';
  const { statusCode, problem, body } = await lookUp(ANSWERS, { kind: 'refused', why });
  expect([statusCode, problem, body['detail']]).toEqual([409, 'look-up-not-possible', why]);
});

it('503 with Retry-After where Temporal or the worker does not answer', async () => {
  const { statusCode, problem, headers } = await lookUp(ANSWERS, { kind: 'unreachable' });
  expect([statusCode, problem, headers['retry-after']]).toEqual([503, 'engine-unavailable', '5']);
});

it.each([
  ['a tenant', { 'find-caller': [ACME], 'read-intent': [RECORDED] }, 403],
  ['an intent that is not there', { 'find-caller': [OPERATOR] }, 404],
])('nobody is asked for %s', async (_title, answers, status) => {
  const { statusCode, asked } = await lookUp(answers, { kind: 'asking' });
  expect([statusCode, asked]).toEqual([status, []]);
});
