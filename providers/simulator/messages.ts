/**
 * Two providers of messages for trials, neither of which can be asked what became of one: `sim-mail`
 * recognises a repeated key, `sim-fax` recognises nothing. They are the messages' face of the
 * simulator's `/key` and `/blind`, under those contracts, which RESOLUTE_SIMULATOR_CONTRACT changes
 * there. Nothing of a recipient or a text ever goes into a finding (INV-12).
 */
import { optional } from '../../config/environment';
import { type MessageCommand } from '../../domain/command';
import { type ProviderContract } from '../../domain/contract';
import { type Finding } from '../../domain/journal';
import { type Permit, type Provider, type Registration } from '../provider';
import { simulatorContracts, SIMULATOR_PATHS } from './contracts';
import { createTransport, type HttpResult } from '../transport';
import { type Answer, refusedOrUnknown } from './refusals';

/** Where each is found. */
const FACES = { 'sim-mail': 'sim-key', 'sim-fax': 'sim-blind' } as const;

/** The two, against the simulator that the environment names. */
export const simulatorMessages: Registration = {
  contractsFrom: 'RESOLUTE_SIMULATOR_CONTRACT',
  example: { RESOLUTE_SIMULATOR_URL: 'http://simulator.example' },
  create(env) {
    const url = optional(env, 'RESOLUTE_SIMULATOR_URL', '');
    const contracts = simulatorContracts(optional(env, 'RESOLUTE_SIMULATOR_CONTRACT', '{}'));
    if (url === '') return [];
    return Object.entries(FACES).map(([name, face]) =>
      createProvider({ name, url, path: SIMULATOR_PATHS[face], contract: contracts[face] }),
    );
  },
};

interface Registering {
  readonly name: string;
  readonly url: string;
  readonly path: string;
  readonly contract: ProviderContract;
}

function createProvider({ name, url, path, contract }: Registering): Provider {
  const transport = createTransport(url);
  return {
    name,
    account: 'default',
    contracts: { message: { ...contract, lookUp: null, notifications: false, revert: false } },
    readNotification: null,
    close: () => transport.close(),

    async send({ to, text }: MessageCommand, permit: Permit): Promise<Finding> {
      const result = await transport.call({
        method: 'POST',
        path: `${path}/v1/messages`,
        headers: { 'idempotency-key': permit.providerKey },
        body: { to, text, reference: permit.reference },
        deadline: permit.deadline,
      });
      return sendFinding(result, permit.reference);
    },

    revert: () => Promise.reject(new Error('a message cannot be taken back')),
    lookUp: () => Promise.reject(new Error('there is no look-up of messages')),
  };
}

/** What an answer means; the last arm is `unknown` (INV-5). */
function sendFinding(result: HttpResult, reference: string): Finding {
  switch (result.kind) {
    case 'not_sent':
      return { kind: 'not_sent', why: result.why, retryAfterMs: null };
    case 'lost':
      return unknown(result.why);
    case 'answer':
      return answered(result, reference);
  }
}

function answered(answer: Answer, reference: string): Finding {
  switch (answer.status) {
    case 201:
    case 402:
      return shown(answer.json ?? {}, reference);
    default:
      return refusedOrUnknown(answer);
  }
}

function shown(message: Readonly<Record<string, unknown>>, reference: string): Finding {
  const { id, object, status } = message;
  if (typeof id !== 'string' || id === '' || object !== 'message') {
    return unknown('an unreadable answer');
  }
  if (message['reference'] !== reference) {
    return { kind: 'conflict', what: `message ${id.slice(0, 64)}: another reference` };
  }
  switch (status) {
    case 'succeeded':
      return { kind: 'applied', providerId: id };
    case 'pending':
      return { kind: 'pending', providerId: id };
    case 'declined':
      return { kind: 'rejected', code: 'message_refused', declined: false };
    default:
      return unknown('a status that is not in the contract');
  }
}

function unknown(why: string): Finding {
  return { kind: 'unknown', why, frozen: false };
}
