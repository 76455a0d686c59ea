/**
 * What the demo says to the gateway and to the simulator's administration: plain HTTP, as anybody's
 * program would. Only the members that are shown or checked are named here.
 */
import { request } from 'undici';
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

/** The intent, in the shape of every answer. */
interface Intent {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly reason: string;
  readonly created_at: string;
  readonly links: { readonly explanation: string; readonly desk: string };
}

/** An answer to a charge: the intent, and whether the request was recognised as a repeat. */
export interface ChargeAnswer {
  readonly code: number;
  readonly isRepeat: boolean;
  readonly intent: Intent;
}

/** What the engine did and saw (`GET …/explanation`). */
export interface Explanation {
  readonly attempts: readonly {
    readonly number: number;
    readonly opened_at: string;
    readonly verdict: string | null;
  }[];
  readonly observations: readonly Observation[];
}

/** One piece of evidence. */
export interface Observation {
  readonly source: string;
  readonly finding: string;
  readonly observed_at: string;
  readonly detail: { readonly provider_id?: string; readonly why?: string };
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
  charge(charge: ChargeRequest, waitSeconds: number): Promise<ChargeAnswer>;
  explanation(intent: Intent): Promise<Explanation>;
  ledger(source: string): Promise<Ledger>;
  programme(fault: Fault, source: string): Promise<void>;
}

/** The client of the stack that `ready` describes. Throws DemoError where an answer is none. */
export function createDemoClient({ api, simulator_admin: admin, tenants }: Ready): DemoClient {
  const authorization = `Bearer ${tenants.acme.token}`;
  return {
    async charge({ key, ...body }, waitSeconds) {
      const answer = await ask(`${api}/v1/intents/payment.charge`, {
        headers: { authorization, 'idempotency-key': key, prefer: `wait=${waitSeconds}` },
        body,
      });
      return {
        code: answer.code,
        isRepeat: answer.headers['idempotency-replayed'] === 'true',
        intent: intentOf(answer),
      };
    },
    async explanation({ links }) {
      const { json } = await ask(`${api}${links.explanation}`, { headers: { authorization } });
      return json as Explanation;
    },
    async ledger(source) {
      const { json } = await ask(`${admin}/_admin/ledger?source=${encodeURIComponent(source)}`);
      return json as Ledger;
    },
    async programme(fault, source) {
      const { code } = await ask(`${admin}/_admin/faults`, {
        body: { ...fault, match: { source } },
      });
      if (code !== 201) throw new DemoError(`The simulator refused the fault (${code}).`);
    },
  };
}

interface Question {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: unknown;
}

async function ask(url: string, { headers = {}, body }: Question = {}): Promise<Answer> {
  try {
    const {
      statusCode,
      headers: answered,
      ...answer
    } = await request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { code: statusCode, headers: answered, json: await answer.body.json() };
  } catch (error) {
    throw new DemoError(`No answer from ${url}: ${messageOf(error)}`, { cause: error });
  }
}

/** Problems carry the intent that they are about; success is the intent. */
function intentOf({ code, json }: Answer): Intent {
  const shown = json as Partial<Intent> & { intent?: Intent; detail?: string };
  const intent = shown.intent ?? (shown.id === undefined ? undefined : (shown as Intent));
  if (intent !== undefined) return intent;
  throw new DemoError(`The gateway answered ${code}: ${shown.detail ?? JSON.stringify(json)}`);
}
