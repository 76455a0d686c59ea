/**
 * Who is at the desk. A token is exchanged for a session cookie that scripts cannot read and other sites
 * cannot send; every form carries a proof that the page it came from knew the session.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type CookieSerializeOptions } from '@fastify/cookie';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { findDeskOperator } from '../../store/desk-sessions';
import { type Gateway } from '../gateway';
import { Problem } from '../problem';

const COOKIE = 'resolute_desk';

/** A signed-in operator. */
export interface SignedIn {
  readonly operator: string;
  /** Goes into every form of the page. */
  readonly formProof: string;
}

/** Who sent this request; null where nobody is signed in (any more). */
export async function signedIn(
  { db }: Pick<Gateway, 'db'>,
  request: FastifyRequest,
): Promise<SignedIn | null> {
  const secret = secretOf(request);
  if (secret === null) return null;
  const operator = await findDeskOperator(db, secret);
  return operator === null ? null : { operator, formProof: proofOf(secret) };
}

/** The session's secret; null without a cookie. */
export function secretOf(request: FastifyRequest): string | null {
  return request.cookies[COOKIE] ?? null;
}

/** Throws where a form does not come from a page of this very session. */
export function requireFormProof(request: FastifyRequest, sent: string | undefined): void {
  const wanted = Buffer.from(proofOf(secretOf(request) ?? ''));
  const got = Buffer.from(sent ?? '');
  if (wanted.length === got.length && timingSafeEqual(wanted, got)) return;
  throw new Problem('forbidden', {
    detail: 'The form belongs to another session. Open the page again and send it from there.',
  });
}

/**
 * Browsers name the page's origin with every POST. One from elsewhere is refused before it is read: a
 * cookie's SameSite protects what is signed in, not the sign-in itself.
 */
export function requireOwnOrigin({ headers }: FastifyRequest): void {
  const { origin, host } = headers;
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) return;
  throw new Problem('forbidden', { detail: 'The form was sent from another site.' });
}

/** Gives the browser a session, or with null takes it away. */
export function setSession(request: FastifyRequest, reply: FastifyReply, secret: string | null) {
  const options: CookieSerializeOptions = {
    path: '/desk',
    httpOnly: true,
    sameSite: 'strict',
    // Behind a proxy that ends TLS the request looks like HTTP; its own header says what it was.
    secure: request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https',
  };
  if (secret === null) reply.clearCookie(COOKIE, options);
  else reply.setCookie(COOKIE, secret, options);
}

function proofOf(secret: string): string {
  return createHmac('sha256', secret).update('desk form').digest('base64url');
}
