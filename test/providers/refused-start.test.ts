/** The built programs, started as a deployment would, under contracts that cannot be kept. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DIST } from '../../local/project-root';

const ENVIRONMENT = {
  PATH: process.env['PATH'],
  // Nothing listens there: a program that got so far would not end with 78.
  DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  RESOLUTE_KEY_DIGEST_SECRET: 'ab'.repeat(32),
  RESOLUTE_SIMULATOR_URL: 'http://127.0.0.1:1',
};

async function start(program: string, contract: string) {
  const child = spawn(process.execPath, [join(DIST, program, 'main.js')], {
    env: { ...ENVIRONMENT, RESOLUTE_SIMULATOR_CONTRACT: contract },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [[code], stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stderr),
  ]);
  return { code, stderr };
}

describe.each(['api', 'workers'])('%s', (program) => {
  test.each([
    [
      'budgets that do not nest',
      '{"sim-full":{"send":{"budget_ms":9001}}}',
      /^RESOLUTE_SIMULATOR_CONTRACT: sim-full, charge: send\.budgetMs is 9001; [^\n]+\.\n/,
    ],
    [
      'a schedule that hurries',
      '{"sim-lookup":{"look_up":{"schedule_ms":[5,4]}}}',
      /^RESOLUTE_SIMULATOR_CONTRACT: sim-lookup, charge: lookUp\.scheduleMs must not [^\n]+\.\n/,
    ],
  ])(
    'with %s says so and exits 78',
    async (_, contract, sentence) => {
      const { code, stderr } = await start(program, contract);
      expect(stderr).toMatch(sentence);
      expect(code).toBe(78);
    },
    20_000,
  );
});
