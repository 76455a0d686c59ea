/**
 * What the demo says to the gateway, through the typed client as anybody's program would, and to the
 * simulator's administration. Of its ledger only the members that are shown or checked are named.
 */
import { request } from 'undici';
import { Client } from '../../client/client';
import { NoAnswerError, ProblemError } from '../../client/errors';
import type { Explanation, Intent, Result } from '../../client/types';
import type { Ready } from '../ready';
import { messageOf } from '../start-error';
import { DemoError } from './demo-error';

/** A charge as it is asked for; the idempotency key goes into the header. */
export interface ChargeRequest {
  readonly key: string;
  readonly amount: number;
  readonly currency: string;
  readonly source: string;
  readonly reference: string;
  readonly provider: string;
}

/** What the provider did and heard: the oracle, which the engine never reads. */
export interface Ledger {
  readonly effects: readonly {
    readonly id: string;
    readonly amount: number;
    readonly currency: string;
    readonly created_at: string;
  }[];
  readonly calls: readonly {
    readonly call: string;
    readonly at: string;
    readonly behaviour: string;
  }[];
}

/** A fault of the simulator's programme, for the calls of one payer. */
export interface Fault {
  readonly on: 'charge';
  readonly do: string;
  readonly delay_ms?: number;
}

/** Speaks as tenant acme to one stack. */
export interface DemoClient {
  charge(charge: ChargeRequest, waitSeconds: number): Promise<Result>;
  explanation(intent: Intent): Promise<Explanation>;
  ledger(source: string): Promise<Ledger>;
  programme(fault: Fault, source: string): Promise<void>;
}

/** The client of the stack that `ready` describes. Throws DemoError where an answer is none. */
export function createDemoClient({ api, simulator_admin: admin, tenants }: Ready): DemoClient {
  const gateway = new Client({ baseUrl: api, token: tenants.acme.token });
  return {
    charge: ({ key, ...parameters }, wait) =>
      told(gateway.create('payment.charge', parameters, { idempotencyKey: key, wait })),
    explanation: ({ id }) => told(gateway.explanation(id)),
    async ledger(source) {
      const { json } = await ask(`${admin}/_admin/ledger?source=${encodeURIComponent(source)}`);
      return json as Ledger;
    },
    async programme(fault, source) {
      const { code } = await ask(`${admin}/_admin/faults`, { ...fault, match: { source } });
      if (code !== 201) throw new DemoError(`The simulator refused the fault (${code}).`);
    },
  };
}

/** What the gateway tells, or one sentence on why it tells nothing. */
async function told<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    const isExpected = error instanceof ProblemError || error instanceof NoAnswerError;
    throw isExpected ? new DemoError(`The gateway: ${error.message}`, { cause: error }) : error;
  }
}

interface Answer {
  readonly code: number;
  readonly json: unknown;
}

/** One exchange with the administration; a POST where there is a body. */
async function ask(url: string, body?: Readonly<Record<string, unknown>>): Promise<Answer> {
  try {
    const { statusCode, ...answer } = await request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { code: statusCode, json: await answer.body.json() };
  } catch (error) {
    throw new DemoError(`No answer from ${url}: ${messageOf(error)}`, { cause: error });
  }
}
