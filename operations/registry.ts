/**
 * The registered operations: one line each. An operation that could only end in review on some
 * provider is refused here, when the process starts, and not when the money is gone.
 */
import { ConfigurationError } from '../config/environment';
import { type Command, type CommandKind } from '../domain/command';
import { type ProviderContract } from '../domain/contract';
import { leavesRoomToRepeat } from '../domain/times';
import { messageSend } from './message-send';
import { drawnOnBy, type Operation, type RecordedDraw } from './operation';
import { paymentCharge } from './payment-charge';
import { paymentRefund } from './payment-refund';

const REGISTERED = [
  paymentCharge,
  paymentRefund,
  messageSend,
] as const satisfies readonly Operation[];

/** Every registered operation, by its type. */
export type RegisteredOperation = (typeof REGISTERED)[number];

/** The database refuses to purge earlier (migration 0008). */
const LEAST_RETENTION_DAYS = 30;

/** Operations by name. */
export type Operations = ReadonlyMap<string, Operation>;

/** What the registry needs to know of a provider. */
export interface ServingProvider {
  readonly name: string;
  readonly contracts: Readonly<Partial<Record<CommandKind, ProviderContract>>>;
}

/** The operations, checked against the providers. Throws ConfigurationError. */
export function createOperations(
  providers: Iterable<ServingProvider>,
  registered: readonly Operation[] = REGISTERED,
): Operations {
  const operations = new Map(registered.map((operation) => [operation.name, operation]));
  if (operations.size < registered.length) {
    throw new ConfigurationError('Two operations are registered under one name.');
  }
  registered.forEach(checkRetention);
  const all = [...providers];
  const faults = registered.flatMap((operation) =>
    all.flatMap((provider) => faultsOf(operation, provider)),
  );
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  return operations;
}

/** The parameters of a recorded intent in the providers' words. Throws where they are purged. */
export function commandOf(operations: Operations, intent: RecordedParameters): Command {
  const operation = operations.get(intent.operation);
  if (operation === undefined) throw new Error(`${intent.operation} is not a registered operation`);
  if (intent.params === null) throw new Error('a purged intent has no parameters to act on');
  return operation.command(intent.params, drawnOnBy(intent));
}

/** What was validated when the intent was recorded; null once purged. */
interface RecordedParameters extends RecordedDraw {
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>> | null;
}

function checkRetention({ name, retentionDays }: Operation): void {
  if (Number.isInteger(retentionDays) && retentionDays >= LEAST_RETENTION_DAYS) return;
  throw new ConfigurationError(
    `${name} has retentionDays ${retentionDays}; it must be a whole number, at least ${LEAST_RETENTION_DAYS}.`,
  );
}

function faultsOf(operation: Operation, provider: ServingProvider): readonly string[] {
  const contract = provider.contracts[operation.commandKind];
  if (contract === undefined || hasPathOutOfUnknown(contract)) return [];
  if (operation.reviewByDesign.includes(provider.name)) return [];
  return [
    `${operation.name} on ${provider.name} could never end an unknown outcome by itself: no look-up that can prove or find, no key with a published window long enough for a repeat, no notifications. List the provider in reviewByDesign to accept that.`,
  ];
}

/** Whether something else than a person can end an unknown outcome under this contract. */
function hasPathOutOfUnknown(contract: ProviderContract): boolean {
  return contract.lookUp !== null || leavesRoomToRepeat(contract) || contract.notifications;
}
