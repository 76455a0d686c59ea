/** Header fields and tokens that requests and answers have in common, as the document publishes them. */
import { KEY_GRAMMAR } from '../idempotency-key';

/** Of requests, by name. */
export const PARAMETERS = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'The caller’s name for the intent, in one line: a bare token or an RFC 8941 string. A UUID is the best choice.',
    schema: { type: 'string', pattern: KEY_GRAMMAR },
    examples: {
      uuid: { value: '0b5a1e0c-7b0e-4a7e-9d3f-2f1f6f0a1b2c' },
      quoted: { value: '"order 1, part 2"' },
    },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: 'RFC 7240: `wait=N`, at most 60 seconds, or `respond-async`.',
    schema: { type: 'string' },
    examples: { wait: { value: 'wait=30' }, async: { value: 'respond-async' } },
  },
} as const;

const text = (description: string) => ({ description, schema: { type: 'string' } });

/** Of answers, by name. */
export const HEADERS = {
  'X-Request-Id': text('Names the request in the logs.'),
  Location: text('Path of the intent.'),
  'Retry-After': {
    description: 'Whole seconds until it makes sense to ask again.',
    schema: { type: 'integer', minimum: 1, maximum: 60 },
  },
  'Idempotency-Replayed': {
    description: 'The identity had been claimed before this request.',
    schema: { type: 'string', const: 'true' },
  },
  'Preference-Applied': text('What was understood of `Prefer`.'),
  'WWW-Authenticate': text('The challenge, RFC 6750.'),
} as const;

/** Whose tokens there are. */
export const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: 'A token of a tenant.' },
  operator: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of an operator: a person, of no tenant, who may act for all.',
  },
} as const;
