/** Where the desk's pages are. */

import { type Concern } from '../../domain/concern';

/** The queue. */
export const QUEUE_PAGE = '/desk';

/** The page that somebody asked for before signing in; the queue where it is none of the desk's. */
export function pageAfterSignIn(wanted: string | undefined): string {
  return wanted !== undefined && /^\/desk(?:[/?][\w\-/?=&]*)?$/.test(wanted) ? wanted : QUEUE_PAGE;
}

/** Of the queue what waits for one reason. */
export function queuePage(concern: Concern): string {
  return `${QUEUE_PAGE}?show=${concern}`;
}

/** The page of one intent. */
export function intentPage(id: string): string {
  return `/desk/intents/${id}`;
}

/** The page of effects without an intent. */
export const ORPHANS_PAGE = '/desk/orphan-effects';
