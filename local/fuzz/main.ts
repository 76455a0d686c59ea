/**
 * `npm run test:fuzz`: a stack of its own, and schemathesis against its gateway, from the document that
 * the gateway publishes: no answer of 5xx, none that is not described, valid requests taken, others
 * refused. The same seed gives the same requests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { quietEnvironment } from '../environment';
import { PROJECT_ROOT, SHARED_CACHE } from '../project-root';
import { type Ready, startStack } from '../ready';
import { StartError } from '../start-error';
import { pythonProgram } from './python-tool';

const USAGE = `npm run test:fuzz -- [options]
  --examples N   most requests of one kind for each operation (default 25, about a minute)
  --seed N       of the requests (default 1)
  --prepare      only fetch the tool, and end`;

/** Sources, not the build: configuration is read where it is written. */
const FOLDER = join(PROJECT_ROOT, 'local', 'fuzz');

const TOOL = join(SHARED_CACHE, 'schemathesis');

interface Options {
  readonly examples: string;
  readonly seed: string;
  readonly prepare: boolean;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const options = readOptions(args);
  const program = await pythonProgram(
    {
      directory: TOOL,
      requirements: join(FOLDER, 'requirements.txt'),
    },
    'schemathesis',
  );
  if (options.prepare) return 0;
  const dataDirectory = mkdtempSync(join(tmpdir(), 'resolute-fuzz-'));
  try {
    const stack = await startStack({ dataDirectory });
    try {
      return await fuzz(program, stack.ready, options);
    } finally {
      await stack.stop();
    }
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      examples: { type: 'string', default: '25' },
      seed: { type: 'string', default: '1' },
      prepare: { type: 'boolean', default: false },
    },
  });
  for (const name of ['examples', 'seed'] as const) {
    const text = values[name];
    if (!/^[1-9]\d{0,6}$/.test(text)) {
      throw new StartError(`--${name} must be a whole number above 0, not "${text}".\n${USAGE}`);
    }
  }
  return values;
}

/** Runs it in the foreground; its exit code is ours. */
async function fuzz(program: string, ready: Ready, { examples, seed }: Options): Promise<number> {
  const child = spawn(
    program,
    [
      ...['--config-file', join(FOLDER, 'schemathesis.toml')],
      // One worker: Python 3.11 fails at times where two threads read source code at once (SystemError,
      // "AST constructor recursion depth mismatch"), which the tool does.
      ...['run', `${ready.api}/openapi.json`, '--checks', 'all', '--workers', '1'],
      ...['--max-examples', examples, '--seed', seed, '--generation-database', 'none'],
      // A payment that is slow on a busy machine is no finding.
      ...['--request-timeout', '90', '--suppress-health-check', 'all'],
    ],
    {
      stdio: 'inherit',
      // It leaves what it found beside itself.
      cwd: TOOL,
      env: quietEnvironment({
        RESOLUTE_FUZZ_TOKEN: ready.tenants.acme.token,
        RESOLUTE_FUZZ_OPERATOR_TOKEN: ready.operators.olive.token,
      }),
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isExpected = error instanceof StartError;
    console.error(isExpected ? error.message : error);
    process.exit(1);
  },
);
