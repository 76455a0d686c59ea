// A listening socket that can be closed and opened again on the same port, which Fastify's own
// listen() cannot: a provider that is down and comes back is one of the faults.

import { type FastifyInstance } from 'fastify';
import { type Server } from 'node:http';

import { ConfigurationError } from './configuration';

interface Place {
  readonly host: string;
  /** 0: any free port, chosen at the first opening and kept. */
  readonly port: number;
  /** The environment variable to name when the port is taken. */
  readonly variable: string;
}

export class Listener {
  readonly #server: Server;
  readonly #place: Place;
  #port: number;

  constructor(app: FastifyInstance, place: Place) {
    this.#server = app.server;
    this.#place = place;
    this.#port = place.port;
  }

  get port(): number {
    return this.#port;
  }

  /** Throws {@link ConfigurationError} if the port is taken or the host is not ours. */
  async open(): Promise<void> {
    if (this.#server.listening) return;
    await new Promise<void>((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException): void => reject(this.#explained(error));
      this.#server.once('error', failed);
      this.#server.listen({ host: this.#place.host, port: this.#port }, () => {
        this.#server.off('error', failed);
        resolve();
      });
    });
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
  }

  /** Stops listening and drops every connection, requests in flight included. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #explained(error: NodeJS.ErrnoException): Error {
    const { host, variable } = this.#place;
    if (error.code === 'EADDRINUSE') {
      return new ConfigurationError(variable, `port ${this.#port} is taken`);
    }
    if (error.code === 'EACCES') {
      return new ConfigurationError(variable, `port ${this.#port} needs more rights`);
    }
    return new ConfigurationError('HOST', `cannot listen on ${host} (${error.code ?? 'unknown'})`);
  }
}
