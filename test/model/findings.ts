/**
 * Findings by short codes, so that a state's key stays short: `A1` is "applied, charge 1", `Dr2!` a
 * decision to retry about two attempts, by two persons.
 */
import { type DecisionKind, type Finding } from '../../domain/journal';

const PLAIN: Readonly<Record<string, Finding>> = {
  R: { kind: 'rejected', code: 'declined', declined: true },
  X: { kind: 'rejected', code: 'refused', declined: false },
  N: { kind: 'not_sent', why: 'no connection', retryAfterMs: null },
  Q: { kind: 'not_sent', why: 'rate limited (429)', retryAfterMs: null, answered: true },
  M: { kind: 'absent' },
  C: { kind: 'conflict', what: 'two effects under one reference' },
  U: { kind: 'unknown', why: 'no answer', frozen: false },
  F: { kind: 'unknown', why: 'a saved error', frozen: true },
};

/** The finding of a code; charges are numbered from 1. */
export function findingOf(code: string): Finding {
  const plain = PLAIN[code];
  if (plain !== undefined) return plain;
  const providerId = `ch_${code.slice(1)}`;
  if (code.startsWith('A')) return { kind: 'applied', providerId };
  if (code.startsWith('P')) return { kind: 'pending', providerId };
  if (code.startsWith('V')) return { kind: 'reverted', providerId };
  if (code.startsWith('D')) return decided(code);
  throw new Error(`no finding has the code ${code}`);
}

const DECISIONS: Readonly<Record<string, DecisionKind>> = {
  a: 'applied',
  n: 'not_applied',
  r: 'retry',
};

function decided(code: string): Finding {
  return {
    kind: 'decided',
    decision: DECISIONS[code.charAt(1)] ?? 'not_applied',
    override: code.endsWith('!'),
    attempts: Number.parseInt(code.slice(2), 10),
    decisionId: code,
  };
}

const WORDS: Readonly<Record<string, string>> = {
  R: 'rejected',
  X: 'refused',
  N: 'not sent',
  Q: 'refused before execution',
  M: 'nothing there',
  C: 'two effects',
  U: 'no answer',
  F: 'a saved error',
  A: 'applied',
  P: 'pending',
  V: 'reverted',
};

/** A code in words, for stories. */
export function wordsFor(code: string): string {
  const words = WORDS[code.charAt(0)] ?? code;
  return code.length > 1 ? `${words} (charge ${code.slice(1)})` : words;
}
