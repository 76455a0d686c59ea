/** The filters of a list, from its query; anything that is not understood is 400, never ignored. */
import { z } from 'zod';
import { STATUSES } from '../domain/status';
import { text } from '../operations/text';
import { type Visibility } from '../store/query-as';
import { type IntentFilter } from '../store/read-intents';
import { type Gateway } from './gateway';
import { digestKey, parseIdempotencyKey } from './idempotency-key';
import { Problem } from './problem';
import { faultsOf, invalidParameters, wording } from './read-parameters';

const DEFAULT_LIMIT = 20;
const MOST_LIMIT = 100;
const LIMIT_RULE = `must be 1 to ${MOST_LIMIT}`;
/** What a key may hold if it is not spelled as in the header. */
const KEY_TEXT = /^[ -~]{1,255}$/;

/** What a list may be asked for, where these operations are served. */
export function listQuerySchema(operations: readonly string[]) {
  return z.strictObject({
    idempotency_key: z.string().regex(KEY_TEXT, 'must be an idempotency key').optional(),
    operation: z.enum(operations, { error: 'is not a known operation' }).optional(),
    status: z.enum(STATUSES, { error: `must be one of ${STATUSES.join(', ')}` }).optional(),
    reference: text(1, 255).optional(),
    cursor: z.uuid({ error: 'must be a next_cursor of an earlier page' }).optional(),
    limit: z
      .string()
      .regex(/^\d{1,3}$/, LIMIT_RULE)
      .transform(Number)
      .pipe(z.int({ error: LIMIT_RULE }).min(1, LIMIT_RULE).max(MOST_LIMIT, LIMIT_RULE))
      .optional(),
  });
}

type Query = z.infer<ReturnType<typeof listQuerySchema>>;

/** Reads the filter that a query asks for. Throws 400 `invalid-parameters`. */
export type ListQueryReader = (visibility: Visibility, query: unknown) => IntentFilter;

/** Makes the reader of one gateway. */
export function listQueryReader({
  operations,
  keyDigestSecret,
}: Pick<Gateway, 'operations' | 'keyDigestSecret'>): ListQueryReader {
  const schema = listQuerySchema([...operations.keys()]);
  return (visibility, query) => {
    const parsed = schema.safeParse(query, { error: wording });
    if (!parsed.success) throw invalidParameters(parsed.error.issues.flatMap(faultsOf));
    const { operation, status, reference, cursor, limit = DEFAULT_LIMIT } = parsed.data;
    const keyDigest = keyDigestOf(parsed.data, visibility, keyDigestSecret);
    return { operation, keyDigest, status, reference, olderThan: cursor, limit };
  };
}

/** A key names an intent only together with tenant and operation. */
function keyDigestOf(query: Query, visibility: Visibility, secret: Buffer): Buffer | undefined {
  const { idempotency_key: text, operation } = query;
  if (text === undefined) return undefined;
  if (operation === undefined) {
    throw invalidParameters([{ pointer: '/operation', detail: 'is required beside a key' }]);
  }
  if (visibility === 'every-tenant') {
    throw invalidParameters([
      { pointer: '/idempotency_key', detail: 'is for tenants; keys of others cannot be searched' },
    ]);
  }
  return digestKey(secret, { tenant: visibility.tenant, operation, key: keyIn(text) });
}

/** As in the header; a text that would need quotes there may be given without them here. */
function keyIn(text: string): string {
  try {
    return parseIdempotencyKey(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return text;
  }
}
