import { types } from 'node:util';

/**
 * A reason why the stack cannot start that the person at the terminal can act on. It is printed as
 * one line, without a stack trace; everything else that is thrown is a bug and keeps its trace.
 */
export class StartError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'StartError';
    this.exitCode = exitCode;
  }
}

/** EX_CONFIG of sysexits.h: wrong configuration, which no restart can cure. */
export const CONFIGURATION_EXIT_CODE = 78;

/** An invalid setting; the message names its variable. */
export function configurationError(message: string): StartError {
  return new StartError(message, CONFIGURATION_EXIT_CODE);
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return types.isNativeError(error) ? error.message : String(error);
}

/** For places that want an Error. Not by instanceof: under Jest, Node's own come from another realm. */
export function toError(thrown: unknown): Error {
  return types.isNativeError(thrown) ? thrown : new Error(String(thrown));
}
