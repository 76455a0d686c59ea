/**
 * Header fields that say who asks, of whom and for what must be one line each (RFC 9110, 5.3). Node
 * keeps the first of several and drops the rest; a proxy in front may go by the last. Two who read one
 * request differently is how a request is had under another token than the one that was checked.
 */
import { type IncomingMessage } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { Problem } from './problem';

const ONCE: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host']);

/** Refuses a request with two such lines, and one of HTTP/1.1 without Host (RFC 9112, 3.2). */
export function refuseAmbiguousLines(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const detail = faultOf(raw);
    done(detail === null ? undefined : new Problem('malformed-request', { detail }));
  });
}

function faultOf({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!ONCE.has(name)) continue;
    if (seen.has(name)) return `The header ${name} must be one line.`;
    seen.add(name);
  }
  return httpVersion === '1.1' && !seen.has('host') ? 'The header host is required.' : null;
}
