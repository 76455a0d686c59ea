/**
 * docker-compose.yml and the Dockerfile against everything that they must agree with: the table of
 * variables, the files that a build makes, the embedded stack, .env.example and the documentation.
 * Whether containers start is another question: docs/deployment.md, "What was run and what was not".
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { readConfiguration as readApi } from '../../api/configuration';
import { type Program, type Variable, VARIABLES } from '../../config/environment';
import { temporalProgram } from '../../local/temporal-program';
import * as searchAttributes from '../../orchestration/search-attributes';
import { INTENTS_TASK_QUEUE } from '../../orchestration/task-queues';
import { readConfiguration as readSimulator } from '../../simulator/configuration';
import { MAINS, PROGRAMS, ROOT, sourcesOf } from '../support/program-sources';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const COMPOSE_TEXT = read('docker-compose.yml');
const { services, volumes: namedVolumes } = parse(COMPOSE_TEXT, { merge: true }) as Compose;
const names = Object.keys(services);
const DOCKERFILE = read('Dockerfile');

/** What the SDK itself reads, of what we give it. */
const TEMPORAL_CLIENT = ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'];

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function service(name: string): Service {
  const found = services[name];
  if (found === undefined) throw new Error(`no service ${name}`);
  return found;
}

function isOneShot(name: string): boolean {
  return service(name).restart === 'no';
}

/** `${NAME:-value}` and `${NAME:?message}` of a text. */
function interpolations(text: string): readonly { name: string; kind: string; value: string }[] {
  return [...text.matchAll(/\$\{(\w+)(:[-?])([^}]*)\}/g)].map(
    ([, name = '', kind = '', value = '']) => ({ name, kind, value }),
  );
}

/** NAME=value lines. */
function readEnvFile(path: string): ReadonlyMap<string, string> {
  const lines = readFileSync(path, 'utf8').split('\n');
  const pairs = lines.flatMap((line) => {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return new Map(pairs);
}

function seconds(duration: string | undefined): number {
  const [, amount, unit] = /^(\d+)(s|m)$/.exec(duration ?? '') ?? [];
  return Number(amount) * (unit === 'm' ? 60 : 1);
}

describe.each(PROGRAMS)('the service of the %s', (program: Program) => {
  const own = service(program);
  const environment = own.environment ?? {};

  it('runs the file that the build makes of its source', () => {
    // Where arguments follow it is the entrypoint.
    expect(own.command ?? own.entrypoint).toEqual([
      'node',
      `dist/${MAINS[program].replace(/\.ts$/, '.js')}`,
    ]);
    expect(existsSync(join(ROOT, MAINS[program]))).toBe(true);
  });

  it('is given exactly the variables that the table has for it', () => {
    const listed = (VARIABLES as readonly Variable[]).filter(({ readBy }) =>
      readBy.includes(program),
    );
    const usesTemporal = [...sourcesOf(program)].some((path) =>
      read(path).includes("from '@temporalio/envconfig'"),
    );
    const wanted = [...listed.map(({ name }) => name), ...(usesTemporal ? TEMPORAL_CLIENT : [])];
    expect(Object.keys(environment).sort()).toEqual(wanted.sort());
  });

  it('has no privileges and nothing to write to but /tmp and its volume', () => {
    const { user, init, read_only, privileged, cap_drop, security_opt } = own;
    expect({ user, init, read_only, privileged, cap_drop, security_opt }).toEqual({
      user: 'node',
      init: true,
      read_only: true,
      privileged: undefined,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('is of the image of this release', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(own.image).toBe(`resolute:${version}`);
  });
});

describe('docker-compose.yml', () => {
  it('pins every image to a version', () => {
    const images = names.map((name) => service(name).image);
    const pinned = /^[a-z]+(\/[a-z-]+)?:\d+\.\d+(\.\d+)?(-bookworm)?$/;
    expect(images.filter((image) => !pinned.test(image))).toEqual([]);
    expect(service('temporal-schema').image.split(':')[1]).toBe(
      service('temporal').image.split(':')[1],
    );
    expect(service('temporal-setup').image).toBe(service('temporal-schema').image);
    expect(service('postgres-setup').image).toBe(service('postgres').image);
  });

  it('has a PostgreSQL that knows uuidv7(), and its volume where that image keeps the data', () => {
    expect(Number(/:(\d+)/.exec(service('postgres').image)?.[1])).toBeGreaterThanOrEqual(18);
    expect(service('postgres').volumes).toEqual(['postgres:/var/lib/postgresql']);
  });

  it('checks the health of everything that stays, and starts it again', () => {
    const staying = names.filter((name) => !isOneShot(name));
    expect(staying.length).toBe(6);
    expect(staying.filter((name) => service(name).healthcheck === undefined)).toEqual([]);
    expect(staying.filter((name) => service(name).restart !== 'unless-stopped')).toEqual([]);
  });

  it('waits for health where a service stays, and for success where it ends', () => {
    const edges = names.flatMap((name) => Object.entries(service(name).depends_on ?? {}));
    for (const [name, { condition }] of edges) {
      const wanted = isOneShot(name) ? 'service_completed_successfully' : 'service_healthy';
      expect([name, condition]).toEqual([name, wanted]);
    }
    // One that nobody waits for could fail unseen.
    const awaited = new Set(edges.map(([name]) => name));
    const unseen = names.filter((name) => isOneShot(name) && !awaited.has(name));
    expect(unseen.filter((name) => service(name).profiles === undefined)).toEqual([]);
  });

  it('mounts and runs files that are there', () => {
    const paths = names.flatMap((name) => {
      const { volumes = [], entrypoint = [], healthcheck } = service(name);
      const mounts = volumes.map((volume) => volume.split(':'));
      const scripts = [...entrypoint, service(name).environment?.['DYNAMIC_CONFIG_FILE_PATH'] ?? '']
        .filter((word) => word.startsWith('/deploy/'))
        .map((word) => {
          const [source = ''] = mounts.find(([, target]) => target === '/deploy') ?? [];
          return join(source, basename(word));
        });
      const checks = (healthcheck?.test ?? []).filter((word) => word.startsWith('health/'));
      return [...scripts, ...checks.map((word) => join('deploy', word))];
    });
    expect(paths.length).toBe(7);
    expect(paths.filter((path) => !statSync(join(ROOT, path)).isFile())).toEqual([]);
    const volumes = names.flatMap((name) => service(name).volumes ?? []);
    const named = volumes.map((volume) => volume.split(':')[0] ?? '');
    expect(named.filter((name) => !name.startsWith('./')).sort()).toEqual(
      Object.keys(namedVolumes).sort(),
    );
  });

  it('publishes on the loopback, and only the API elsewhere on request', () => {
    const published = names.flatMap((name) =>
      (service(name).ports ?? []).map((text) => ({ name, text })),
    );
    expect(published.length).toBe(5);
    for (const { name, text } of published) {
      const address = name === 'api' ? '${RESOLUTE_API_ADDRESS:-127.0.0.1}:' : '127.0.0.1:';
      expect([name, text.startsWith(address)]).toEqual([name, true]);
    }
    expect(services['postgres']?.ports).toBeUndefined();
  });

  it('takes every secret from outside and stops without it', () => {
    const secret = /PASSWORD|PWD|SECRET|DATABASE_URL/;
    const values = names.flatMap((name) =>
      Object.entries(service(name).environment ?? {}).filter(([key]) => secret.test(key)),
    );
    expect(values.length).toBeGreaterThan(10);
    const given = values.filter(([, value]) => !/\$\{\w+:\?[^}]+\}/.test(value));
    // A provider's own secret is only there where the provider is.
    expect(given.filter(([, value]) => !/^\$\{STRIPE_\w+:-\}$/.test(value))).toEqual([]);
  });

  it('connects each program as its own role', () => {
    const roleOf = (program: string): string | undefined =>
      /^postgres:\/\/(\w+):/.exec(service(program).environment?.['DATABASE_URL'] ?? '')?.[1];
    expect(['api', 'worker', 'migrate', 'seed', 'cli'].map(roleOf)).toEqual([
      'resolute_api',
      'resolute_worker',
      'resolute_owner',
      'resolute_owner',
      'resolute_owner',
    ]);
  });

  it('lets the worker and the api finish before they are killed', () => {
    const [, force] = /FORCE = '(\d+)s'/.exec(read('workers/worker.ts')) ?? [];
    const [, close = ''] = /CLOSE_WITHIN_MS = ([\d_]+)/.exec(read('api/main.ts')) ?? [];
    expect(seconds(service('worker').stop_grace_period)).toBeGreaterThan(Number(force));
    expect(seconds(service('api').stop_grace_period) * 1_000).toBeGreaterThan(
      Number(close.replace('_', '')),
    );
  });

  it('takes from the Web UI what goes round the journal, and leaves it the updates', () => {
    const environment = service('temporal-ui').environment ?? {};
    const off = Object.keys(environment).filter((key) => key.endsWith('_DISABLED'));
    expect(off.sort()).toEqual([
      'TEMPORAL_ACTIVITY_COMMANDS_DISABLED',
      'TEMPORAL_BATCH_ACTIONS_DISABLED',
      'TEMPORAL_START_WORKFLOW_DISABLED',
      'TEMPORAL_WORKFLOW_CANCEL_DISABLED',
      'TEMPORAL_WORKFLOW_PAUSE_DISABLED',
      'TEMPORAL_WORKFLOW_RESET_DISABLED',
      'TEMPORAL_WORKFLOW_SIGNAL_DISABLED',
      'TEMPORAL_WORKFLOW_TERMINATE_DISABLED',
    ]);
    expect(off.filter((key) => environment[key] !== 'true')).toEqual([]);
    expect(environment).toHaveProperty('TEMPORAL_CORS_ORIGINS');
    expect(environment).not.toHaveProperty('TEMPORAL_DISABLE_WRITE_ACTIONS');
  });
});

describe('what Temporal is told', () => {
  const bootstrap = read('deploy/temporal/bootstrap.sh');
  const embedded = read('local/temporal-program.ts');

  it('adds the search attributes that the code sets', () => {
    const added = [...bootstrap.matchAll(/--name (\w+) --type (\w+)/g)].map(
      ([, name = '', type = '']) => [name, type.toUpperCase()],
    );
    const wanted = Object.values(searchAttributes).map(({ name, type }) => [name, type]);
    expect(new Map(added as [string, string][])).toEqual(new Map(wanted as [string, string][]));
    const probe = /workflow count --query \\\n(.*)/.exec(bootstrap)?.[1] ?? '';
    expect(wanted.filter(([name = '']) => !probe.includes(name))).toEqual([]);
  });

  it('keeps closed workflows as long as the embedded server does', () => {
    const retention = /RETENTION = ?'?(\w+)/;
    expect(/RETENTION=(\w+)/.exec(bootstrap)?.[1]).toBe(retention.exec(embedded)?.[1]);
  });

  it('configures the server as the embedded one', () => {
    const directory = mkdtempSync(join(tmpdir(), 'resolute-temporal-'));
    const databaseFile = join(directory, 'temporal.db');
    const { args } = temporalProgram({ cli: 'x', databaseFile, port: 1, uiPort: 2 }).command;
    rmSync(directory, { recursive: true });
    const wanted = new Map(
      args
        .filter((_, index) => args[index - 1] === '--dynamic-config-value')
        .map((text) => text.split('='))
        .map(([key = '', json = '']) => [key, JSON.parse(json) as unknown] as const),
    );
    // Reads the search attributes from the database on every request: not for production.
    expect(wanted.delete('system.forceSearchAttributesCacheRefreshOnRead')).toBe(true);
    const file = parse(read('deploy/temporal/dynamicconfig.yaml')) as Record<
      string,
      readonly { value: unknown }[]
    >;
    const values = Object.entries(file).map(([key, [entry]]) => [key, entry?.value] as const);
    expect(new Map(values)).toEqual(wanted);
  });

  it('asks for the pollers of the queue that the worker serves', () => {
    const [, queue] = /taskQueue: \{ name: '(\w+)' \}/.exec(read('deploy/health/worker.mjs')) ?? [];
    expect(queue).toBe(INTENTS_TASK_QUEUE);
  });
});

describe('.env.example', () => {
  const example = readEnvFile(join(ROOT, '.env.example'));

  it('has every variable of docker-compose.yml, and no other', () => {
    const asked = new Set(interpolations(COMPOSE_TEXT).map(({ name }) => name));
    expect(COMPOSE_TEXT.match(/\$/g)).toHaveLength(interpolations(COMPOSE_TEXT).length);
    expect([...example.keys()].sort()).toEqual([...asked].sort());
  });

  it('shows the defaults, and leaves what is required empty', () => {
    for (const { name, kind, value } of interpolations(COMPOSE_TEXT)) {
      const shown = example.get(name) ?? '';
      const wanted = kind === ':?' ? '' : value;
      // `{}` cannot be a default inside braces; empty means the same.
      expect([name, shown === '{}' ? '' : shown]).toEqual([name, wanted]);
    }
  });

  it('becomes, by deploy/make-env.sh, an .env that the programs accept, once', () => {
    const directory = mkdtempSync(join(tmpdir(), 'resolute-env-'));
    try {
      cpSync(join(ROOT, '.env.example'), join(directory, '.env.example'));
      cpSync(join(ROOT, 'deploy'), join(directory, 'deploy'), { recursive: true });
      const make = () => spawnSync('sh', [join(directory, 'deploy', 'make-env.sh')]).status;
      expect(make()).toBe(0);
      const path = join(directory, '.env');
      expect(statSync(path).mode & 0o777).toBe(0o600);
      const made = readEnvFile(path);
      expect([...made.keys()]).toEqual([...example.keys()]);
      expect([made.get('STRIPE_API_KEY'), made.get('STRIPE_WEBHOOK_SECRET')]).toEqual(['', '']);
      // An address may stay empty, and what others make; what is empty besides is a secret of ours.
      const fresh = [...made].filter(
        ([name]) => example.get(name) === '' && !/^(OTEL|STRIPE)_/.test(name),
      );
      expect(new Set(fresh.map(([, value]) => value)).size).toBe(fresh.length);
      const weak = fresh.filter(([, value]) => !/^([0-9a-f]{64}|whsec_.{44})$/.test(value));
      expect(weak).toEqual([]);
      const env = { ...Object.fromEntries(made), DATABASE_URL: 'x', RESOLUTE_API_URL: 'http://x' };
      expect(() => readApi(env)).not.toThrow();
      expect(() => readSimulator(env)).not.toThrow();
      expect(make()).toBe(1);
      expect(readEnvFile(path)).toEqual(made);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('the Dockerfile', () => {
  const instructions = DOCKERFILE.replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const excluded = new Set([
    ...read('.dockerignore').split('\n'),
    ...[...(/rm -rf dist.*/.exec(DOCKERFILE)?.[0] ?? '').matchAll(/dist\/([a-z]+)/g)].map(
      ([, folder = '']) => folder,
    ),
  ]);

  it('is built on one pinned glibc image of a Node that package.json allows', () => {
    const from = instructions.filter((line) => line.startsWith('FROM '));
    expect(from).toHaveLength(3);
    expect(from.filter((line) => !line.includes(' node:${NODE_VERSION}-bookworm-slim'))).toEqual(
      [],
    );
    const [, major, minor] = /^ARG NODE_VERSION=(\d+)\.(\d+)\.\d+$/m.exec(DOCKERFILE) ?? [];
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    const [, least, leastMinor] = /(\d+)\.(\d+)/.exec(engines.node) ?? [];
    expect(Number(major) * 1_000 + Number(minor)).toBeGreaterThanOrEqual(
      Number(least) * 1_000 + Number(leastMinor),
    );
  });

  it('ends as a user without rights, with production packages only', () => {
    const users = instructions.filter((line) => line.startsWith('USER '));
    expect(users.at(-1)).toBe('USER node');
    const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
    const copied = last.filter((line) => line.startsWith('COPY '));
    expect(copied).toContain('COPY --from=packages /app/node_modules ./node_modules');
    expect(copied.filter((line) => /^COPY \. /.test(line))).toEqual([]);
    expect(DOCKERFILE).toMatch(/AS packages\n[^]*npm ci --omit=dev/);
  });

  it('holds no secret, and lets none into a build', () => {
    const values = instructions.filter((line) => /^(ARG|ENV) /.test(line));
    expect(values.filter((line) => /PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL/.test(line))).toEqual(
      [],
    );
    // Everything whose name begins with a dot: .env and .resolute, where secrets are kept, above all.
    expect(excluded.has('.*')).toBe(true);
    expect([...excluded].filter((line) => line.startsWith('!'))).toEqual(['!.npmrc']);
  });

  it('leaves out no folder that a program needs', () => {
    const folders = PROGRAMS.flatMap((program) => [...sourcesOf(program)]).map(
      (path) => dirname(path).split('/')[0] ?? '',
    );
    const needed = new Set([...folders, 'workflows', 'deploy', 'local']);
    // local/ builds; what it compiles to is taken out again.
    const kept = [...needed].filter((folder) => folder !== 'local');
    expect(kept.filter((folder) => excluded.has(folder))).toEqual([]);
    expect(read('.dockerignore').split('\n')).not.toContain('local');
  });
});

describe('docs/deployment.md', () => {
  const document = read('docs/deployment.md');

  it('explains every service and every variable of .env', () => {
    const terms = [...names, ...readEnvFile(join(ROOT, '.env.example')).keys()];
    expect(terms.filter((term) => !document.includes(`\`${term}\``))).toEqual([]);
  });

  it('says what was run', () => {
    expect(document).toContain('\n## What was run and what was not\n');
  });
});
