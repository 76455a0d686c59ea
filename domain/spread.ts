/**
 * Spreads intents over time without randomness: each has its own place, derived from a moment of its
 * journal, so that workflow and row lock derive the same one and a thousand intents do not act at once.
 */
import { type ProviderContract } from './contract';

/** A place from 0 (included) to 1 (excluded) for a moment in milliseconds; neighbours lie far apart. */
export function place(moment: number): number {
  // The finaliser of splitmix32: a bijection of 32 bits that flips half of them for each one changed.
  let bits = (moment ^ Math.floor(moment / 2 ** 32)) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

/** A pause, lengthened by this moment's share of the contract's jitter; whole milliseconds. */
export function lengthened(pauseMs: number, contract: ProviderContract, moment: number): number {
  return pauseMs + Math.floor(((pauseMs * (contract.jitterPercent ?? 0)) / 100) * place(moment));
}
