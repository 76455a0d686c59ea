/**
 * The four providers for trials: one simulator, four contracts (docs/simulator.md). The adapter is
 * the same for all; what may be done after a lost answer follows from the contract alone.
 */
import { optional } from '../../config/environment';
import { type PaymentCommand } from '../../domain/command';
import { type ProviderContract } from '../../domain/contract';
import { type Finding } from '../../domain/journal';
import { type NotificationReader } from '../notification';
import {
  type Inquiry,
  type Listing,
  type ListingRange,
  type Permit,
  type Provider,
  type Registration,
  type RevertPermit,
} from '../provider';
import {
  refundContract,
  simulatorContracts,
  SIMULATOR_PATHS,
  type SimulatorProvider,
} from './contracts';
import { listingOf } from './listing';
import { lookUpFinding, revertFinding, sendFinding } from './mapping';
import { simulatorNotifications } from './notifications';
import { createTransport, type Transport } from '../transport';

/** The four, against the simulator that the environment names. */
export const simulator: Registration = {
  contractsFrom: 'RESOLUTE_SIMULATOR_CONTRACT',
  example: { RESOLUTE_SIMULATOR_URL: 'http://simulator.example' },
  create(env, secrets) {
    const url = optional(env, 'RESOLUTE_SIMULATOR_URL', '');
    const contracts = simulatorContracts(optional(env, 'RESOLUTE_SIMULATOR_CONTRACT', '{}'));
    if (url === '') return [];
    const reader = simulatorNotifications(secrets.simulator ?? '');
    return (Object.keys(SIMULATOR_PATHS) as SimulatorProvider[]).map((name) =>
      createProvider(name, { contract: contracts[name], transport: createTransport(url), reader }),
    );
  },
};

interface Parts {
  readonly contract: ProviderContract;
  readonly transport: Transport;
  readonly reader: NotificationReader | null;
}

/** Where commands are sent, and asked about, below a provider's path. */
const FACES: Readonly<Record<PaymentCommand['kind'], string>> = {
  charge: '/v1/charges',
  refund: '/v1/refunds',
};

/** Only payments are listed. */
interface PaymentRange extends ListingRange {
  readonly kind: PaymentCommand['kind'];
}

/** What the provider is told beside our reference; a refund has the currency of its charge. */
function termsOf(command: PaymentCommand): Readonly<Record<string, unknown>> {
  switch (command.kind) {
    case 'charge': {
      const { amount, currency, source } = command;
      return { amount, currency, source };
    }
    case 'refund': {
      const { amount, charge } = command;
      return { charge, amount };
    }
  }
}

function createProvider(name: SimulatorProvider, { contract, transport, reader }: Parts): Provider {
  const base = SIMULATOR_PATHS[name];
  return {
    name,
    account: 'default',
    contracts: { charge: contract, refund: refundContract(contract) },
    readNotification: contract.notifications ? reader : null,
    close: () => transport.close(),

    async send(command: PaymentCommand, permit: Permit): Promise<Finding> {
      const result = await transport.call({
        method: 'POST',
        path: `${base}${FACES[command.kind]}`,
        headers: { 'idempotency-key': permit.providerKey },
        body: { ...termsOf(command), reference: permit.reference },
        deadline: permit.deadline,
      });
      return sendFinding(result, { command, reference: permit.reference });
    },

    async revert(command: PaymentCommand, permit: RevertPermit): Promise<Finding> {
      if (command.kind !== 'charge') throw new Error(`a ${command.kind} cannot be undone here`);
      const result = await transport.call({
        method: 'POST',
        path: `${base}/v1/charges/${encodeURIComponent(permit.providerId)}/void`,
        headers: { 'idempotency-key': permit.providerKey },
        body: { reference: permit.reference },
        deadline: permit.deadline,
      });
      return revertFinding(result, { command, providerId: permit.providerId });
    },

    async lookUp(command: PaymentCommand, inquiry: Inquiry): Promise<Finding> {
      const result = await transport.call({
        method: 'GET',
        path: `${base}${FACES[command.kind]}?reference=${encodeURIComponent(inquiry.reference)}`,
        deadline: inquiry.deadline,
      });
      return lookUpFinding(result, { command, reference: inquiry.reference });
    },

    ...(contract.lookUp?.lists === true && {
      async listEffects({ kind, since, until, cursor, deadline }: PaymentRange): Promise<Listing> {
        const span = new URLSearchParams({
          created_after: since.toISOString(),
          created_before: until.toISOString(),
          ...(cursor !== null && { cursor }),
        });
        const path = `${base}${FACES[kind]}?${span.toString()}`;
        return listingOf(await transport.call({ method: 'GET', path, deadline }), kind);
      },
    }),
  };
}
