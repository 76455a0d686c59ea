/** The HTTP server that every reference stands behind: the gateway's framework, and nothing more. */
import { fastify, type FastifyReply } from 'fastify';
import { type Charge } from './provider';

/** One request to a reference. */
export interface ChargeRequest {
  readonly key: string;
  readonly charge: Charge;
  readonly reply: FastifyReply;
}

/** Serves `POST /charges` on any free port and tells the benchmark which. */
export async function serve(perform: (request: ChargeRequest) => Promise<unknown>): Promise<void> {
  const app = fastify();
  app.post('/charges', (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string') return reply.code(400).send({ error: 'Idempotency-Key' });
    return perform({ key, charge: request.body as Charge, reply });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  tellReady(typeof address === 'object' && address !== null ? address.port : 0);
}

/** Tells the benchmark that this process is ready, and ends with it. */
export function tellReady(port: number): void {
  process.send?.({ port });
  process.once('disconnect', () => process.exit(0));
}

/** A variable that the benchmark sets. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
