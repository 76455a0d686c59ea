// Reads foreign JSON against a zod shape and, when it does not fit, says so in one sentence.

import { type z } from 'zod';

/** The input is not acceptable; the message is one sentence for the person who sent it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Parses JSON text; empty text counts as an empty object. Throws {@link Refusal}. */
export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal('The body is not JSON.');
  }
}

/** Returns the typed value, or throws {@link Refusal} with the first fault and what is allowed. */
export function readShape<S extends z.ZodType>(
  shape: S,
  value: unknown,
  allowed: string,
): z.output<S> {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? 'body' : issue.path.join('.');
  throw new Refusal(`${where}: ${issue?.message ?? 'not acceptable'}. ${allowed}`);
}
