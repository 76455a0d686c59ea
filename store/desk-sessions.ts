/**
 * Operators signed in to `/desk`. A session is read on every request and falls with the token it was
 * opened with, so that a revocation takes effect at once (INV-11).
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Queryable } from './pool';

/** A shift; then one signs in anew. */
const LASTING = '12 hours';
const SECRET_BYTES = 32;

/** A session that was just opened; `secret` is known to the browser alone. */
export interface DeskSession {
  readonly secret: string;
  readonly operator: string;
}

/** Opens a session for the holder of an operator's token; null where the token is none, or no more. */
export async function openDeskSession(db: Queryable, token: string): Promise<DeskSession | null> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const { rows } = await db.query<{ operator: string | null }>({
    name: 'open-desk-session',
    text: 'select open_desk_session($1, $2, $3::interval) as operator',
    values: [digest(token), digest(secret), LASTING],
  });
  const operator = rows[0]?.operator ?? null;
  return operator === null ? null : { secret, operator };
}

/** The operator of a session; null where it ended, was never opened, or its token is no longer valid. */
export async function findDeskOperator(db: Queryable, secret: string): Promise<string | null> {
  const { rows } = await db.query<{ operator: string | null }>({
    name: 'find-desk-operator',
    text: 'select find_desk_operator($1) as operator',
    values: [digest(secret)],
  });
  return rows[0]?.operator ?? null;
}

/** Ends it. Ending it again changes nothing. */
export async function endDeskSession(db: Queryable, secret: string): Promise<void> {
  await db.query({
    name: 'end-desk-session',
    text: 'select end_desk_session($1)',
    values: [digest(secret)],
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
