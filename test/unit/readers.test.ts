/** When a reader of an intent in doubt may have its provider asked out of turn. */
import { mayAskForReader } from '../../domain/reader';
import { standing } from '../../domain/standing';
import { type ProviderContract } from '../../domain/contract';
import { type Journal } from '../../domain/journal';
import { ACME, gatewayUnderTest } from '../support/gateway-under-test';
import { RECORDED } from '../support/gateway-request';
import {
  ABSENT,
  answer,
  APPLIED,
  at,
  attempt,
  FULL,
  journal,
  LOOK_UP,
  lookUp,
  LOST,
  PENDING,
} from '../support/journal-of';

const CHEAP: ProviderContract = { ...FULL, lookUp: { ...LOOK_UP, onReadMs: 5_000 } };
const SENT = attempt(1, 0);
const LOST_ANSWER = answer(SENT, 2, LOST);

function mayAsk(second: number, of: Journal, contract = CHEAP): boolean {
  const situation = at(second, contract, of);
  return mayAskForReader(situation, standing(situation));
}

describe('a reader may have the provider asked', () => {
  it('in doubt, when the last question is the contract’s time ago', () => {
    const asked = journal([SENT], [LOST_ANSWER, lookUp(20, LOST)]);
    expect([mayAsk(24.9, asked), mayAsk(25, asked)]).toEqual([false, true]);
  });

  it('in review, too, where look-ups go on', () => {
    expect(mayAsk(300, journal([SENT], [LOST_ANSWER, lookUp(20, LOST)]))).toBe(true);
  });
});

describe('a reader has nobody asked', () => {
  it.each<readonly [string, Journal, ProviderContract]>([
    ['where look-ups are not cheap', journal([SENT], [LOST_ANSWER]), FULL],
    ['where nobody can be asked', journal([SENT], [LOST_ANSWER]), { ...CHEAP, lookUp: null }],
    ['before anything was sent', journal([]), CHEAP],
    ['of what has succeeded', journal([SENT], [answer(SENT, 1, APPLIED)]), CHEAP],
    ['of what the provider has pending', journal([SENT], [answer(SENT, 1, PENDING)]), CHEAP],
    [
      'while the provider is down for everybody',
      {
        ...journal([SENT], [LOST_ANSWER, lookUp(6, LOST)]),
        hold: { since: 0, until: 60_000, spreadMs: 5_000 },
      },
      CHEAP,
    ],
    [
      'of what is proven absent',
      journal([{ ...SENT, verdict: 'absent' }], [lookUp(20, ABSENT)]),
      CHEAP,
    ],
  ])('%s', (_, of, contract) => {
    expect(mayAsk(30, of, contract)).toBe(false);
  });

  it('while the request is still on its way', () => {
    expect(mayAsk(1, journal([SENT]))).toBe(false);
  });
});

describe('the gateway', () => {
  it.each([
    ['GET', `/v1/intents/${RECORDED.id}`, 1],
    ['GET', `/v1/intents/${RECORDED.id}/explanation`, 0],
    ['GET', '/v1/intents', 0],
  ] as const)('%s %s: %i intents were read', async (method, url, times) => {
    const read: string[] = [];
    const { app } = gatewayUnderTest(
      { 'find-caller': [ACME], 'read-intent': [RECORDED], 'list-intents': [RECORDED] },
      { intentWasRead: ({ id }) => void read.push(id) },
    );
    await app.inject({ method, url, headers: { authorization: 'Bearer t' } });
    expect(read).toHaveLength(times);
  });
});
