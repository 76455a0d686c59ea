/**
 * The four providers for trials: one simulator, four contracts (docs/simulator.md). The adapter is
 * the same for all; what may be done after a lost answer follows from the contract alone.
 */
import { type Command, type CommandKind } from '../domain/command';
import { type ProviderContract } from '../domain/contract';
import { type Finding } from '../domain/journal';
import { type Inquiry, type Permit, type Provider, type RevertPermit } from './provider';
import {
  refundContract,
  simulatorContracts,
  SIMULATOR_PATHS,
  type SimulatorProvider,
} from './simulator-contracts';
import { lookUpFinding, revertFinding, sendFinding } from './simulator-mapping';
import { createTransport, type Transport } from './transport';

/** Registers the four contracts against the simulator at `url`; `overrides` as in the docs. */
export function createSimulatorProviders(url: string, overrides: string): readonly Provider[] {
  const contracts = simulatorContracts(overrides);
  return (Object.keys(SIMULATOR_PATHS) as SimulatorProvider[]).map((name) =>
    createProvider(name, contracts[name], createTransport(url)),
  );
}

/** Where commands are sent, and asked about, below a provider's path. */
const FACES: Readonly<Record<CommandKind, string>> = {
  charge: '/v1/charges',
  refund: '/v1/refunds',
};

/** What the provider is told beside our reference; a refund has the currency of its charge. */
function termsOf(command: Command): Readonly<Record<string, unknown>> {
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

function createProvider(
  name: SimulatorProvider,
  contract: ProviderContract,
  transport: Transport,
): Provider {
  const base = SIMULATOR_PATHS[name];
  return {
    name,
    contracts: { charge: contract, refund: refundContract(contract) },
    close: () => transport.close(),

    async send(command: Command, permit: Permit): Promise<Finding> {
      const result = await transport.call({
        method: 'POST',
        path: `${base}${FACES[command.kind]}`,
        headers: { 'idempotency-key': permit.providerKey },
        body: { ...termsOf(command), reference: permit.reference },
        deadline: permit.deadline,
      });
      return sendFinding(result, { command, reference: permit.reference });
    },

    async revert(command: Command, permit: RevertPermit): Promise<Finding> {
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

    async lookUp(command: Command, inquiry: Inquiry): Promise<Finding> {
      const result = await transport.call({
        method: 'GET',
        path: `${base}${FACES[command.kind]}?reference=${encodeURIComponent(inquiry.reference)}`,
        deadline: inquiry.deadline,
      });
      return lookUpFinding(result, { command, reference: inquiry.reference });
    },
  };
}
