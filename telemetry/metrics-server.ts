/**
 * The worker's `/metrics`: a port of its own, since a worker serves nothing else. The Temporal SDK's
 * own metrics are on the next port, served by its core.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Registry } from 'prom-client';
import { ConfigurationError } from '../config/environment';

/** Where to listen. */
export interface MetricsAddress {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/** A running server. */
export interface MetricsServer {
  readonly port: number;
  close(): void;
}

/** Listens; throws ConfigurationError where the port cannot be had. */
export async function serveMetrics(
  registry: Registry,
  address: MetricsAddress,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const port = await listen(server, address);
  // It ends with the process and is no reason for the process to stay.
  server.unref();
  return { port, close: () => void server.close() };
}

/** The port for the SDK: the next one, or any that is free where ours was left open. */
export async function portForSdk({ host, port }: MetricsAddress): Promise<number> {
  if (port !== 0) return port + 1;
  const server = createServer();
  const free = await listen(server, { host, port });
  server.close();
  await once(server, 'close');
  return free;
}

async function listen(server: Server, { host, port }: MetricsAddress): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = Object(error) as { readonly code?: unknown };
    throw new ConfigurationError(
      `RESOLUTE_METRICS_PORT ${port} on ${host} cannot be used: ${String(code)}.`,
    );
  }
  return (server.address() as AddressInfo).port;
}
