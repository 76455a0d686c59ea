/** `tenant create`, `tenant list`. */
import { type Command } from 'commander';
import { createTenant, listTenants, type Tenant } from '../store/tenants';
import { json, minute, type OutputOptions, table } from './output';
import { type Surroundings } from './program';
import { Refusal } from './refusal';
import { tenantId } from './values';

interface CreateOptions extends OutputOptions {
  readonly provider: string;
}

/** Adds both. */
export function addTenantCommands(program: Command, { write, withStore }: Surroundings): void {
  const tenant = program.command('tenant').description('Who the gateway works for');

  tenant
    .command('create')
    .description('make a tenant; it needs a token before it can ask for anything')
    .argument('<id>', 'lower-case letters, digits and -', tenantId)
    .requiredOption('--provider <name>', 'the provider where a request names none')
    .option('--json', 'answer with JSON')
    .action(async (id: string, options: CreateOptions) => {
      const defaultProvider = options.provider;
      const made = await withStore((pool) => createTenant(pool, { id, defaultProvider }));
      if (made === null) throw new Refusal(`There is a tenant ${id} already.`);
      write(options.json ? json(tenantJson(made)) : `Tenant ${id} is made.\n`);
    });

  tenant
    .command('list')
    .description('list the tenants')
    .option('--json', 'answer with JSON')
    .action(async (options: OutputOptions) => {
      const tenants = await withStore(listTenants);
      write(options.json ? json(tenants.map(tenantJson)) : tenantTable(tenants));
    });
}

function tenantJson({ id, defaultProvider, createdAt }: Tenant) {
  return { id, default_provider: defaultProvider, created_at: createdAt.toISOString() };
}

function tenantTable(tenants: readonly Tenant[]): string {
  return table(
    ['id', 'default provider', 'created'],
    tenants.map(({ id, defaultProvider, createdAt }) => [id, defaultProvider, minute(createdAt)]),
  );
}
