// A failure that a person can act on: shown as its message alone. Anything else is a bug.
export class Failure extends Error {}

export function explain(error) {
  return error instanceof Failure ? error.message : error;
}
