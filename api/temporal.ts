/**
 * The gateway's line to Temporal: opened on first use, so that the gateway starts, serves and records
 * while Temporal is down.
 */
import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

/** The client and what else the gateway needs of the connection. */
export interface TemporalLink {
  readonly client: Client;
  /** Whether Temporal answers within a second. Never rejects. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
}

const PROBE_DEADLINE_MS = 1_000;

/** Opens nothing yet. The address comes from the Temporal SDK's own environment configuration. */
export function linkTemporal(): TemporalLink {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = Connection.lazy(connectionOptions);
  return {
    client: new Client({ connection, namespace }),
    async isReachable() {
      try {
        await connection.withDeadline(Date.now() + PROBE_DEADLINE_MS, () =>
          connection.workflowService.getSystemInfo({}),
        );
        return true;
      } catch {
        // Whatever went wrong, the answer to the question is no.
        return false;
      }
    },
    close: () => connection.close(),
  };
}
