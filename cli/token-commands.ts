/** `token create`, `rotate`, `revoke`, `list`. */
import { type Command } from 'commander';
import { type Scope, TENANT_SCOPES } from '../domain/scope';
import { refusal } from '../store/pool';
import { issueToken, listTokens, revokeToken, rotateToken } from '../store/tokens';
import { issuedText, json, minute, type OutputOptions, tokenJson, tokenTable } from './output';
import { type Surroundings } from './program';
import { Refusal } from './refusal';
import { actorName, duration, scopeList, tenantId, tokenId } from './values';

interface CreateOptions extends OutputOptions {
  readonly tenant: string;
  readonly actor: string;
  readonly scopes: readonly Scope[];
  readonly expiresIn?: number;
}

interface RotateOptions extends OutputOptions {
  readonly overlap: number;
  readonly expiresIn?: number;
}

interface ListOptions extends OutputOptions {
  readonly tenant?: string;
}

const DEFAULT_OVERLAP_MS = 3_600_000;

/** Adds the four. */
export function addTokenCommands(program: Command, surroundings: Surroundings): void {
  const token = program.command('token').description('What callers prove themselves with');
  addCreate(token, surroundings);
  addRotate(token, surroundings);
  addRevoke(token, surroundings);
  addList(token, surroundings);
}

function addCreate(token: Command, { write, withStore }: Surroundings): void {
  token
    .command('create')
    .description('make a token of a tenant and show it, once')
    .requiredOption('--tenant <id>', 'whose', tenantId)
    .requiredOption('--actor <name>', 'who holds it: a service or a person', actorName)
    .requiredOption('--scopes <list>', `of ${TENANT_SCOPES.join(', ')}`, scopeList)
    .option('--expires-in <duration>', 'when it ends by itself, for example 90d', duration)
    .option('--json', 'answer with JSON')
    .action(async ({ tenant, actor, scopes, expiresIn, json: asJson }: CreateOptions) => {
      const wanted = { tenant, actor, scopes, livesMs: expiresIn ?? null };
      const issued = await withStore((pool) => issueToken(pool, wanted)).catch((error: unknown) => {
        if (refusal(error)?.constraint !== 'api_keys_tenant_fkey') throw error;
        throw new Refusal(`There is no tenant ${tenant}.`);
      });
      write(asJson ? json({ ...tokenJson(issued), token: issued.token }) : issuedText(issued));
    });
}

function addRotate(token: Command, { write, withStore }: Surroundings): void {
  token
    .command('rotate')
    .description('make the successor of a token; both work until the overlap is over')
    .argument('<id>', 'the token’s id', tokenId)
    .option(
      '--overlap <duration>',
      'how long the old one still works',
      duration,
      DEFAULT_OVERLAP_MS,
    )
    .option(
      '--expires-in <duration>',
      'when the new one ends by itself; unsaid, it lives as long as the old one was made for',
      duration,
    )
    .option('--json', 'answer with JSON')
    .action(async (id: string, { overlap, expiresIn, json: asJson }: RotateOptions) => {
      const times = { overlapMs: overlap, livesMs: expiresIn };
      const rotation = await withStore((pool) => rotateToken(pool, id, times));
      if (rotation === null) throw new Refusal('There is no live token of that id.');
      const { issued, old } = rotation;
      const document = { ...tokenJson(issued), token: issued.token, replaces: tokenJson(old) };
      const ends = `The old one ends at ${minute(old.expiresAt)}.\n`;
      write(asJson ? json(document) : `${issuedText(issued)}${ends}`);
    });
}

function addRevoke(token: Command, { write, withStore }: Surroundings): void {
  token
    .command('revoke')
    .description('end a token: the next request with it is refused, repeats and reads included')
    .argument('<id>', 'the token’s id', tokenId)
    .option('--json', 'answer with JSON')
    .action(async (id: string, options: OutputOptions) => {
      const revoked = await withStore((pool) => revokeToken(pool, id));
      if (revoked === null) throw new Refusal('There is no token of that id.');
      const text = `Token ${id} is revoked since ${minute(revoked.revokedAt)}.\n`;
      write(options.json ? json(tokenJson(revoked)) : text);
    });
}

function addList(token: Command, { write, withStore }: Surroundings): void {
  token
    .command('list')
    .description('list tokens, newest first; never their text')
    .option('--tenant <id>', 'of one tenant', tenantId)
    .option('--json', 'answer with JSON')
    .action(async ({ tenant, json: asJson }: ListOptions) => {
      const holders = tenant === undefined ? 'tenants' : { tenant };
      const records = await withStore((pool) => listTokens(pool, holders));
      write(asJson ? json(records.map(tokenJson)) : tokenTable(records));
    });
}
