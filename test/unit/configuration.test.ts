/**
 * One table of environment variables (`config/environment.ts`), and three things that must agree with
 * it: what the programs really read, what they really demand, and what docs/configuration.md says.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguration as readApi } from '../../api/configuration';
import { timeOfDay, type Program, type Variable, VARIABLES } from '../../config/environment';
import { readSettings, SETTING_VARIABLES } from '../../local/settings';
import { readConfiguration as readSimulator } from '../../simulator/configuration';
import { demandedBy, PROGRAMS, ROOT, variablesReadBy } from '../support/program-sources';

const TABLE: readonly Variable[] = VARIABLES;
const DOCUMENT = readFileSync(join(ROOT, 'docs', 'configuration.md'), 'utf8');

const SECRET = 'ab'.repeat(32);
const SIGNING_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;

/** Promised for the gateway's intake of notifications; take it out once that reads the secret. */
const AWAITED = new Set(['api RESOLUTE_SIMULATOR_SIGNING_SECRET', 'api STRIPE_WEBHOOK_SECRET']);

function isRequiredBy(variable: Variable, program: Program): boolean {
  if (!variable.readBy.includes(program)) return false;
  return variable.default === null || (variable.requiredBy ?? []).includes(program);
}

function requiredBy(program: Program): readonly string[] {
  return TABLE.filter((variable) => isRequiredBy(variable, program)).map(({ name }) => name);
}

function fallbackOf(name: string): string | null | undefined {
  return TABLE.find((variable) => variable.name === name)?.default;
}

/** The rows of the table below a heading, cells trimmed, without head and rule. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const section = DOCUMENT.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

function code(text: string): string {
  return text === '' ? 'empty' : `\`${text}\``;
}

function fallbackCell(variable: Variable): string {
  const { default: fallback, requiredBy: demanding = [] } = variable;
  if (fallback === null) return '**required**';
  const demanded = demanding.map((program) => `**required** by ${program}, else `).join('');
  return `${demanded}${code(fallback)}`;
}

describe('docs/configuration.md', () => {
  it('shows the table of config/environment.ts, row by row', () => {
    const rows = TABLE.map((variable) => [
      `\`${variable.name}\``,
      variable.readBy.join(', '),
      fallbackCell(variable),
      variable.meaning,
    ]);
    expect(rowsBelow('The programs')).toEqual(rows);
  });

  it('shows the variables of `npm start` with their defaults', () => {
    const { ports, simulatorContract } = readSettings({}, '/');
    const wanted = new Map([
      ...Object.values(ports).map(({ variable, port }) => [variable, String(port)] as const),
      ['RESOLUTE_DATA_DIR', '.resolute'],
      ['RESOLUTE_SIMULATOR_CONTRACT', simulatorContract],
    ]);
    expect(new Set(wanted.keys())).toEqual(new Set(SETTING_VARIABLES));
    const shown = rowsBelow('The embedded stack').map(([name, fallback]) => [name, fallback]);
    const rows = [...wanted].map(([name, fallback]) => [code(name), code(fallback)]);
    expect(new Map(shown as [string, string][])).toEqual(
      new Map([...rows, ['`TEMPORAL_CLI`', 'empty']] as [string, string][]),
    );
  });

  it('knows every variable of ours that any source names', () => {
    const named = sourceFiles(ROOT)
      .map((path) => readFileSync(path, 'utf8'))
      .flatMap((text) => text.match(/'RESOLUTE_[A-Z_]+'/g) ?? [])
      .map((literal) => `\`${literal.slice(1, -1)}\``);
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((name) => !DOCUMENT.includes(name))).toEqual([]);
  });
});

/** Everything that is built or run, tests aside. */
function sourceFiles(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.')) return [];
    if (['node_modules', 'dist', 'coverage', 'test'].includes(entry.name)) return [];
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return /\.(ts|mjs|cjs)$/.test(entry.name) ? [path] : [];
  });
}

describe('the table of variables', () => {
  it('has each name once, in the words of the shell', () => {
    const names = TABLE.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(name))).toEqual([]);
  });

  it.each(PROGRAMS)('lists everything that the %s reads', (program) => {
    const listed = TABLE.filter(({ readBy }) => readBy.includes(program)).map(({ name }) => name);
    const read = variablesReadBy(program);
    expect(read.size).toBeGreaterThan(0);
    expect([...read].filter((name) => !listed.includes(name))).toEqual([]);
  });

  it.each(PROGRAMS)('lists nothing for the %s that it does not read', (program) => {
    const read = variablesReadBy(program);
    const listed = TABLE.filter(({ readBy }) => readBy.includes(program)).map(({ name }) => name);
    const unread = listed.filter((name) => !read.has(name));
    expect(unread.filter((name) => !AWAITED.has(`${program} ${name}`))).toEqual([]);
  });

  it.each(['worker', 'migrate', 'seed', 'cli'] as const)('says what the %s demands', (program) => {
    expect(new Set(requiredBy(program))).toEqual(demandedBy(program));
  });

  it('says what the api demands, and its defaults', () => {
    const enough = { DATABASE_URL: 'postgres://x', RESOLUTE_KEY_DIGEST_SECRET: SECRET };
    expect(requiredBy('api')).toEqual(Object.keys(enough));
    for (const name of requiredBy('api')) {
      expect(() => readApi({ ...enough, [name]: '' })).toThrow(name);
    }
    const { host, port, deskUrl, logLevel } = readApi(enough);
    expect(host).toBe(fallbackOf('HOST'));
    expect(deskUrl).toBe(fallbackOf('RESOLUTE_DESK_URL'));
    expect(logLevel).toBe(fallbackOf('RESOLUTE_LOG_LEVEL'));
    expect(fallbackOf('PORT')).toContain(`${port} (api)`);
  });

  it('says what the simulator demands, and its defaults', () => {
    const enough = {
      RESOLUTE_SIMULATOR_SIGNING_SECRET: SIGNING_SECRET,
      RESOLUTE_API_URL: 'http://api',
    };
    expect(requiredBy('simulator')).toEqual(Object.keys(enough));
    for (const name of requiredBy('simulator')) {
      expect(() => readSimulator({ ...enough, [name]: '' })).toThrow(name);
    }
    const { host, port, adminPort, dataDir } = readSimulator(enough);
    expect(host).toBe(fallbackOf('HOST'));
    expect(dataDir).toBe(fallbackOf('RESOLUTE_SIMULATOR_DATA_DIR'));
    expect(fallbackOf('PORT')).toContain(`${port} (simulator)`);
    expect(fallbackOf('RESOLUTE_SIMULATOR_ADMIN_PORT')).toBe('PORT + 1');
    expect(adminPort).toBe(port + 1);
  });
});

describe('a time of day', () => {
  const read = (text: string) =>
    timeOfDay({ RESOLUTE_RETENTION_AT: text }, 'RESOLUTE_RETENTION_AT', '03:00');

  it.each([
    ['00:00', { hour: 0, minute: 0 }],
    ['23:59', { hour: 23, minute: 59 }],
    ['', { hour: 3, minute: 0 }],
  ])('%j is understood', (text, time) => {
    expect(read(text)).toEqual(time);
  });

  it.each(['24:00', '3:00', '03:60', '03', '03:00:00', '03:00 CET', 'never'])(
    '%j is refused by the name of its variable',
    (text) => {
      expect(() => read(text)).toThrow(/^RESOLUTE_RETENTION_AT is not a time of day/);
    },
  );
});

describe('the Temporal SDK', () => {
  it('reads the variables that docs/configuration.md names for it', () => {
    const library = join(ROOT, 'node_modules', '@temporalio', 'envconfig', 'lib');
    const text = readdirSync(library)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(library, name), 'utf8'))
      .join('\n');
    const shown = rowsBelow("The Temporal SDK's own").map(([name = '']) => name.slice(1, -1));
    expect(shown).toContain('TEMPORAL_ADDRESS');
    expect(shown.filter((name) => !text.includes(`'${name}'`))).toEqual([]);
  });
});
