/** A body's members: strict JSON first, then the schema of the operation or of the route. */
import { type FastifyRequest } from 'fastify';
import { type z } from 'zod';
import { type Operation } from '../operations/operation';
import { jsonPointer } from './json-pointer';
import { Problem } from './problem';
import { type JsonValue, parseStrictJson, StrictJsonError } from './strict-json';

/** One fault of a body. */
interface Fault {
  /** RFC 6901. */
  readonly pointer: string;
  readonly detail: string;
}

/** A body of 64 KiB can have thousands of faults; these are enough to mend it. */
const MOST_FAULTS = 20;

/** Validated parameters, documented defaults applied. Throws 400 `invalid-parameters`. */
export function readParameters(
  operation: Operation,
  body: Uint8Array | undefined,
): Record<string, unknown> {
  return readBody(operation.schema, body);
}

/** What a schema makes of a body. Throws 400 `invalid-parameters`. */
export function readBody<Members>(
  schema: z.ZodType<Members>,
  body: Uint8Array | undefined,
): Members {
  if (body === undefined || body.length === 0) {
    throw invalidParameters([{ pointer: '', detail: 'is required: a JSON object' }]);
  }
  const value = readJson(body);
  const parsed = schema.safeParse(value, { error: wording });
  if (parsed.success) return parsed.data;
  throw invalidParameters(parsed.error.issues.flatMap(faultsOf));
}

/** The content type parser hands bytes over; a request without a body has none. */
export function bodyOf({ body }: FastifyRequest): Uint8Array | undefined {
  return body instanceof Uint8Array ? body : undefined;
}

/** 400 `invalid-parameters`; also for the query of a list. */
export function invalidParameters(faults: readonly Fault[]): Problem {
  return new Problem('invalid-parameters', { members: { errors: faults.slice(0, MOST_FAULTS) } });
}

/** A member that is not named is one fault each, at its own place. */
export function faultsOf(issue: z.core.$ZodIssue): readonly Fault[] {
  if (issue.code !== 'unrecognized_keys') {
    return [{ pointer: jsonPointer(issue.path), detail: issue.message }];
  }
  return issue.keys.map((key) => ({
    pointer: jsonPointer([...issue.path, key]),
    detail: 'is not a known member',
  }));
}

/** The schema library's wording of a missing member names a type that JSON does not have. */
export function wording(issue: { readonly input?: unknown }): string | undefined {
  return issue.input === undefined ? 'is required' : undefined;
}

function readJson(body: Uint8Array): JsonValue {
  try {
    return parseStrictJson(body);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw invalidParameters([{ pointer: error.pointer, detail: error.message }]);
  }
}
