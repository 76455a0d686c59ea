/** What a command answers: a table or a sentence for people, one JSON document for programs. */
import Table from 'cli-table3';
import { type IssuedToken, type TokenRecord } from '../store/tokens';

/** Options that every command has. */
export interface OutputOptions {
  readonly json?: boolean;
}

/** A table without colours: it is read in logs and pipes, too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const drawn = new Table({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows) drawn.push([...row]);
  return `${drawn.toString()}\n`;
}

/** One document, pretty enough to read and one line more than enough for `jq`. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A token's record, as programs read it. */
export function tokenJson(record: TokenRecord) {
  return {
    id: record.id,
    tenant: record.tenant,
    actor: record.actor,
    scopes: record.scopes,
    state: record.state,
    created_at: record.createdAt.toISOString(),
    expires_at: record.expiresAt?.toISOString() ?? null,
    revoked_at: record.revokedAt?.toISOString() ?? null,
  };
}

/** The list of tokens for people. */
export function tokenTable(records: readonly TokenRecord[]): string {
  return table(
    ['id', 'tenant', 'actor', 'scopes', 'state', 'created', 'ends'],
    records.map((record) => [
      record.id,
      record.tenant ?? '(operator)',
      record.actor,
      record.scopes.join(', '),
      record.state,
      minute(record.createdAt),
      minute(record.revokedAt ?? record.expiresAt),
    ]),
  );
}

/** A token is on the screen once: nothing in this project can show it again. */
export function issuedText(issued: IssuedToken): string {
  const holder = issued.tenant === null ? issued.actor : `${issued.tenant} (${issued.actor})`;
  return [
    `Token of ${holder} for ${issued.scopes.join(', ')}, id ${issued.id}:`,
    '',
    `  ${issued.token}`,
    '',
    'It is shown this once. Only its SHA-256 is stored.',
    '',
  ].join('\n');
}

/** A moment in UTC, to the minute. */
export function minute(time: Date | null): string {
  return time === null ? '' : `${time.toISOString().slice(0, 16).replace('T', ' ')} Z`;
}
