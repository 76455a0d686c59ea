/** How one route is described; `routes.ts` lists them, `document.ts` publishes them. */
import { type z } from 'zod';
import { type Scope } from '../../domain/scope';
import { type ProblemName } from '../problem';
import { type ShapeName } from './shapes';

/** An answer that is no problem. */
export interface DescribedAnswer {
  readonly status: number;
  readonly when: string;
  /** What the body is: a published shape. */
  readonly body: ShapeName;
  /** Header fields that the answer may have beside those that every answer has. */
  readonly headers?: readonly AnswerHeader[];
}

/** Header fields of answers. */
export type AnswerHeader =
  'Location' | 'Retry-After' | 'Idempotency-Replayed' | 'Preference-Applied';

/** A problem that the route may answer; with its status where it is not the usual one. */
export type DescribedProblem = ProblemName | readonly [ProblemName, status: number];

/** A body that a schema of ours validates, or bytes that a provider signed, in a form of its own. */
export type DescribedBody =
  { readonly schema: z.ZodType; readonly example: unknown } | { readonly signed: string };

/** One route, as callers see it. */
export interface DescribedRoute {
  readonly method: 'get' | 'post';
  /** With parameters in braces: `/v1/intents/{id}`. */
  readonly path: string;
  /** Unique: the operationId. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** What the token must allow, `operate` an operator's; null where none is needed. */
  readonly scope: Scope | null;
  /** Operators may do it as well, for every tenant. */
  readonly operators?: true;
  /** Parameters of the path, by name. */
  readonly parameters?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodType;
  readonly headers?: readonly ('Idempotency-Key' | 'Prefer')[];
  readonly body?: DescribedBody;
  readonly answers: readonly DescribedAnswer[];
  /** Those of this route alone; `document.ts` adds what every route may answer. */
  readonly problems: readonly DescribedProblem[];
}
