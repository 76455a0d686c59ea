/**
 * Who is asking, and may they (INV-11): read from the store on every request, repeats and reads
 * included, so that a revoked token is refused at once. Runs before the body is read.
 *
 * Tokens are compared by their SHA-256, in an index of the database. How long that takes may depend on
 * how many bytes of a digest are right, but nobody can steer the digest of a guess, so time says
 * nothing about a token; a comparison of the tokens themselves would have to take constant time.
 */
import { createHash } from 'node:crypto';
import { type FastifyRequest } from 'fastify';
import { type Scope } from '../domain/scope';
import { type Caller, findCaller } from '../store/callers';
import { type Visibility } from '../store/query-as';
import { type Gateway } from './gateway';
import { Problem } from './problem';

/** RFC 6750, 2.1; the scheme in any case. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

const NO_TENANT = "This is a tenant's own; an operator's token acts for no tenant.";

const callers = new WeakMap<FastifyRequest, Caller>();

/** The hook that lets only holders of a valid token pass. */
export function authenticator(gateway: Pick<Gateway, 'db' | 'rateLimit'>) {
  return async function authenticate(request: FastifyRequest): Promise<void> {
    const digest = await tokenOf(request, gateway);
    admit(request, await findCaller(gateway.db, digest));
  };
}

/** SHA-256 of the request's token. Throws 401 where there is none, 429 where it asks too often. */
export async function tokenOf(
  request: FastifyRequest,
  { rateLimit }: Pick<Gateway, 'rateLimit'>,
): Promise<Buffer> {
  const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined) throw unauthenticated('Bearer realm="resolute"');
  const digest = createHash('sha256').update(token).digest();
  await rateLimit(digest);
  return digest;
}

/** From now on the request is the caller's. Throws 401 where the store knows none. */
export function admit(request: FastifyRequest, caller: Caller | null): void {
  if (caller === null) throw unauthenticated('Bearer realm="resolute", error="invalid_token"');
  callers.set(request, caller);
}

/** A tenant's actor. */
export interface TenantCaller extends Caller {
  readonly tenant: string;
}

/** The caller, if it may perform what needs `scope`. Operators never create anything. */
export function callerWith(request: FastifyRequest, scope: Scope): TenantCaller {
  const caller = callerOf(request);
  const { tenant } = caller;
  if (tenant === null) throw new Problem('forbidden', { detail: NO_TENANT });
  if (!caller.scopes.includes(scope)) throw forbidden(scope);
  return { ...caller, tenant };
}

/** The operator that asks: a person of no tenant. */
export function operatorOf(request: FastifyRequest): Caller {
  const caller = callerOf(request);
  if (!caller.scopes.includes('operate')) throw forbidden('operate');
  return caller;
}

/** Whose intents a cancel may reach, and as whom it is recorded. */
export interface Canceler {
  readonly visibility: Visibility;
  readonly by: string;
}

/** Tenants cancel their own intents, operators everybody's. */
export function cancelerOf(request: FastifyRequest): Canceler {
  const { actor, scopes } = callerOf(request);
  if (scopes.includes('operate')) return { visibility: 'every-tenant', by: `operator ${actor}` };
  const { tenant } = callerWith(request, 'cancel');
  return { visibility: { tenant }, by: actor };
}

/** Whose intents the caller may read. Operators read everybody's. */
export function visibilityFor(request: FastifyRequest): Visibility {
  const { tenant, scopes } = callerOf(request);
  if (scopes.includes('operate')) return 'every-tenant';
  if (tenant === null || !scopes.includes('read')) throw forbidden('read');
  return { tenant };
}

function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('a route was registered without the authenticator');
  return caller;
}

function unauthenticated(challenge: string): Problem {
  return new Problem('unauthenticated', { headers: { 'www-authenticate': challenge } });
}

function forbidden(scope: Scope): Problem {
  return new Problem('forbidden', { detail: `The token lacks the scope "${scope}".` });
}
