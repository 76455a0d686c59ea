/** What a decision's texts may be, wherever they are typed: gateway, Web UI or command line. */

/** The maker's own name for a decision; part of a path, so short, and no character that a URL would change. */
export const DECISION_ID = /^[A-Za-z0-9][A-Za-z0-9._~:@+=-]{0,99}$/;

/** In code points. */
export const MOST_OPERATOR = 64;
export const MOST_EVIDENCE = 2_000;
export const MOST_REASON = 2_000;

/** No control characters, and something must be seen of it; lone surrogates cannot be stored. */
export function isPlain(text: string, most: number): boolean {
  return (
    /^[\P{Cc}]*\S[\P{Cc}]*$/u.test(text) && !/\p{Cs}/u.test(text) && Array.from(text).length <= most
  );
}
