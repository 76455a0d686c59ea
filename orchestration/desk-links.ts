/**
 * Ready-made lists of the Temporal Web UI. Each link carries its name, by which the Web UI keeps it as a
 * saved view. The list sorts by start and knows no relative times, so "older than" is made afresh.
 */
import {
  INTENT_ATTENTION,
  INTENT_PROVIDER,
  INTENT_STATUS,
  INTENT_TENANT,
  INTENT_UNKNOWN_SINCE,
} from './search-attributes';

/** A list by name. */
export interface DeskLink {
  readonly name: string;
  readonly url: string;
}

/** What the links are made for. */
export interface DeskView {
  /** The Web UI's list of workflows. */
  readonly deskUrl: string;
  readonly now: Date;
  readonly tenants?: readonly string[];
  readonly providers?: readonly string[];
}

const RUNNING = 'ExecutionStatus = "Running"';
const OURS = 'WorkflowType = "settleIntent"';
const OLD_MS = 60 * 60 * 1_000;

/** The links, in the order in which they are worth a look. */
export function deskLinks({
  deskUrl,
  now,
  tenants = [],
  providers = [],
}: DeskView): readonly DeskLink[] {
  const attention = INTENT_ATTENTION.name;
  const stuck = `${attention} is not null AND ${RUNNING}`;
  const old = new Date(now.getTime() - OLD_MS).toISOString().replace(/\.\d+Z$/, 'Z');
  const queries: readonly (readonly [string, string])[] = [
    ['Stuck', stuck],
    ['To approve', `${attention} = "proposal" AND ${RUNNING}`],
    ['In review', `${INTENT_STATUS.name} = "in_review" AND ${RUNNING}`],
    ['Unknown', `${INTENT_STATUS.name} = "unknown" AND ${RUNNING}`],
    ['Unknown for an hour', `${stuck} AND ${INTENT_UNKNOWN_SINCE.name} < "${old}"`],
    ['Cancel pending', `${attention} = "cancel" AND ${RUNNING}`],
    ['Broken', `TemporalReportedProblems is not null AND ${RUNNING} AND ${OURS}`],
    ['Orphans', `${attention} is not null AND ExecutionStatus != "Running"`],
    ...providers.map(
      (one) => [`Stuck at ${one}`, `${stuck} AND ${INTENT_PROVIDER.name} = "${one}"`] as const,
    ),
    ...tenants.map(
      (one) => [`Stuck of ${one}`, `${stuck} AND ${INTENT_TENANT.name} = "${one}"`] as const,
    ),
  ];
  return queries.map(([name, query]) => ({ name, url: urlOf(deskUrl, name, query) }));
}

function urlOf(deskUrl: string, name: string, query: string): string {
  return `${deskUrl}?query=${encodeURIComponent(query)}&savedQuery=${encodeURIComponent(name)}`;
}
