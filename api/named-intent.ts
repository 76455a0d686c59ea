/** Which intent a request turned out to be about: for its line in the log and for its span. */
import { type FastifyRequest } from 'fastify';
import { nameIntent } from '../telemetry/intent-span';

const named = new WeakMap<FastifyRequest, string>();

/** The request is about this intent. */
export function requestIsAbout(request: FastifyRequest, intentId: string): void {
  named.set(request, intentId);
  nameIntent(intentId);
}

/** The intent that was named, or that the path names; undefined where the request is about none. */
export function intentOf(request: FastifyRequest): string | undefined {
  const { id } = Object(request.params) as { readonly id?: unknown };
  return named.get(request) ?? (typeof id === 'string' ? id : undefined);
}
