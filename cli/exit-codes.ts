/** How a command ends, for scripts; 65 and above as in sysexits.h. */

/** Codes by what they mean. */
export const EXIT = {
  done: 0,
  /** Nothing was changed. */
  refused: 1,
  /** Recorded, and the intent is not out of doubt yet. */
  waits: 3,
  /** Recorded without effect until another operator approves. */
  proposed: 4,
  /** The chain of decisions is broken. */
  broken: 65,
  /** Nobody knows whether it was recorded: run it again. */
  noAnswer: 69,
  /** The token is not valid, or is not an operator's. */
  notAllowed: 77,
} as const;

/** One of them. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The table below every help. */
export const EXIT_HELP = `
Exit codes:
  0   done
  1   refused: nothing was changed
  3   recorded: waits for a look-up, a time or the worker
  4   proposed: waits for another operator's approval
  65  the chain of decisions is broken
  69  no answer, or refused for now: the same again is harmless
  77  the token is not valid, or is not an operator's
  78  a variable is missing or malformed`;
