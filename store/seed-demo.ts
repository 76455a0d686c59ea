/**
 * `node dist/store/seed-demo.js`: makes the demo's tenants and operators whose tokens the environment
 * names, and ends. Without tokens it makes nobody, so a deployment without a demo may run it as well.
 */
import {
  ConfigurationError,
  EXIT_CONFIGURATION,
  optional,
  required,
  type VariableName,
} from '../config/environment';
import { type DemoCredentials, seedDemo } from './seed';

const TENANTS = {
  acme: 'RESOLUTE_DEMO_ACME_TOKEN',
  globex: 'RESOLUTE_DEMO_GLOBEX_TOKEN',
} as const;

const OPERATORS = {
  olive: 'RESOLUTE_DEMO_OLIVE_TOKEN',
  oscar: 'RESOLUTE_DEMO_OSCAR_TOKEN',
} as const;

/** A token is all that a caller shows; one that can be guessed opens the tenant. */
const SHORTEST_TOKEN = 32;

/** RFC 6750, 2.1: what an Authorization header can carry. */
const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

async function main(): Promise<void> {
  const ownerUrl = required(process.env, 'DATABASE_URL');
  const demo: DemoCredentials = { tenants: readTokens(TENANTS), operators: readTokens(OPERATORS) };
  await seedDemo(ownerUrl, demo);
  const seeded = [...Object.keys(demo.tenants), ...Object.keys(demo.operators)];
  process.stdout.write(`${JSON.stringify({ msg: 'seeded', seeded })}\n`);
}

function readTokens(variables: Readonly<Record<string, VariableName>>): DemoCredentials['tenants'] {
  const tokens = Object.entries(variables).map(
    ([name, variable]) => [name, { token: readToken(variable) }] as const,
  );
  return Object.fromEntries(tokens.filter(([, { token }]) => token !== ''));
}

function readToken(variable: VariableName): string {
  const token = optional(process.env, variable, '');
  if (token === '' || (token.length >= SHORTEST_TOKEN && BEARER_TOKEN.test(token))) return token;
  throw new ConfigurationError(
    `${variable} is not a token of at least ${SHORTEST_TOKEN} characters of A-Z a-z 0-9 . _ ~ + / -`,
  );
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigurationError;
  const message = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
  process.stderr.write(`${message ?? 'seeding failed'}\n`);
  process.exitCode = expected ? EXIT_CONFIGURATION : 1;
});
