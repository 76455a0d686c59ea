/**
 * The four providers for trials: one simulator, four contracts (docs/simulator.md). The adapter is
 * the same for all; what may be done after a lost answer follows from the contract alone.
 */
import { optional } from '../config/environment';
import { type PaymentCommand } from '../domain/command';
import { type ProviderContract } from '../domain/contract';
import { type Finding } from '../domain/journal';
import {
  type Inquiry,
  type Permit,
  type Provider,
  type Registration,
  type RevertPermit,
} from './provider';
import { simulatorContracts, SIMULATOR_PATHS, type SimulatorProvider } from './simulator-contracts';
import { lookUpFinding, revertFinding, sendFinding } from './simulator-mapping';
import { createTransport, type Transport } from './transport';

/** The four, against the simulator that the environment names. */
export const simulator: Registration = {
  contractsFrom: 'RESOLUTE_SIMULATOR_CONTRACT',
  example: { RESOLUTE_SIMULATOR_URL: 'http://simulator.example' },
  create(env) {
    const url = optional(env, 'RESOLUTE_SIMULATOR_URL', '');
    const contracts = simulatorContracts(optional(env, 'RESOLUTE_SIMULATOR_CONTRACT', '{}'));
    if (url === '') return [];
    return (Object.keys(SIMULATOR_PATHS) as SimulatorProvider[]).map((name) =>
      createProvider(name, contracts[name], createTransport(url)),
    );
  },
};

function createProvider(
  name: SimulatorProvider,
  contract: ProviderContract,
  transport: Transport,
): Provider {
  const base = SIMULATOR_PATHS[name];
  return {
    name,
    contracts: { charge: contract },
    close: () => transport.close(),

    async send(command: PaymentCommand, permit: Permit): Promise<Finding> {
      const { amount, currency, source } = command;
      const result = await transport.call({
        method: 'POST',
        path: `${base}/v1/charges`,
        headers: { 'idempotency-key': permit.providerKey },
        body: { amount, currency, source, reference: permit.reference },
        deadline: permit.deadline,
      });
      return sendFinding(result, { command, reference: permit.reference });
    },

    async revert(command: PaymentCommand, permit: RevertPermit): Promise<Finding> {
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
        path: `${base}/v1/charges?reference=${encodeURIComponent(inquiry.reference)}`,
        deadline: inquiry.deadline,
      });
      return lookUpFinding(result, { command, reference: inquiry.reference });
    },
  };
}
