/** Where the desk's pages are. */

/** The page of one intent. */
export function intentPage(id: string): string {
  return `/desk/intents/${id}`;
}

/** The page of effects without an intent. */
export const ORPHANS_PAGE = '/desk/orphan-effects';
