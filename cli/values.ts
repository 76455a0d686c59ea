/** Values of options and arguments, checked before the store is opened. */
import { InvalidArgumentError } from 'commander';
import { DECISION_ID, isPlain, MOST_EVIDENCE } from '../domain/decision-form';
import { type Scope, TENANT_SCOPES } from '../domain/scope';

const TENANT = /^[a-z0-9][a-z0-9-]{0,39}$/;
const ACTOR = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DURATION = /^(\d{1,6})(s|m|h|d)$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A tenant's id, which becomes part of workflow ids. */
export function tenantId(text: string): string {
  if (TENANT.test(text)) return text;
  throw new InvalidArgumentError('1 to 40 of a-z 0-9 and -, not beginning with -.');
}

/** The name under which a token's holder shows in records. */
export function actorName(text: string): string {
  if (ACTOR.test(text)) return text;
  throw new InvalidArgumentError(
    '1 to 64 of A-Z a-z 0-9 . _ @ -, beginning with a letter or digit.',
  );
}

/** The id of a token, as `token list` shows it; not the token. */
export function tokenId(text: string): string {
  if (UUID.test(text)) return text;
  // The text is not repeated: it may be a token, pasted in the wrong place.
  throw new InvalidArgumentError('The id that `token list` shows, not the token itself.');
}

/** The id of an intent, as the gateway shows it. */
export function intentId(text: string): string {
  if (UUID.test(text)) return text;
  throw new InvalidArgumentError('The `id` that the gateway shows.');
}

/** A whole number from 1. */
export function count(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number from 1.');
}

/** A whole number of seconds, 0 to wait not at all. */
export function waitSeconds(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) <= 60) return Number(text);
  throw new InvalidArgumentError('Seconds, 0 to 60.');
}

/** An operator's own name for a decision. */
export function decisionId(text: string): string {
  if (DECISION_ID.test(text)) return text;
  throw new InvalidArgumentError('1 to 100 of letters, digits and . _ ~ : @ + = -');
}

/** When a discrepancy was opened, as `show` tells it. */
export function openedAt(text: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return text;
  throw new InvalidArgumentError('The time that `resolute show` tells, to the millisecond.');
}

/** What proves a decision, or why it is made. */
export function statement(text: string): string {
  if (isPlain(text, MOST_EVIDENCE)) return text;
  throw new InvalidArgumentError(`One line of 1 to ${MOST_EVIDENCE} characters.`);
}

/** `charge,read` */
export function scopeList(text: string): readonly Scope[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const scopes = TENANT_SCOPES.filter((scope) => names.includes(scope));
  if (scopes.length === names.length) return scopes;
  throw new InvalidArgumentError(`A list of ${TENANT_SCOPES.join(', ')}, separated by commas.`);
}

/** `90s`, `15m`, `1h`, `30d`; in milliseconds. */
export function duration(text: string): number {
  const [, number, unit = ''] = DURATION.exec(text) ?? [];
  const milliseconds = UNIT_MS[unit];
  if (number !== undefined && milliseconds !== undefined) return Number(number) * milliseconds;
  throw new InvalidArgumentError('A number with s, m, h or d behind it: 90s, 15m, 1h, 30d.');
}
