/**
 * Reference: the plainest hand-written alternative. An idempotency table in PostgreSQL, the provider
 * call between two commits. A crash between them leaves the key "in progress" for ever, and nobody
 * knows what became of the money: this is what it costs to have no answer to that.
 */
import pg from 'pg';
import { chargeProvider } from './provider';
import { serve, setting, type ChargeRequest } from './serve';

const TABLE = `
  create schema if not exists bench;
  create table if not exists bench.charges (
    key text primary key, request jsonb not null, response jsonb,
    created_at timestamptz not null default now())`;

/** As many connections as the gateway. */
const pool = new pg.Pool({ connectionString: setting('DATABASE_URL'), max: 16 });
const provider = setting('RESOLUTE_SIMULATOR_URL');

async function charge({ key, charge, reply }: ChargeRequest): Promise<unknown> {
  const { rowCount } = await pool.query({
    name: 'claim',
    text: 'insert into bench.charges (key, request) values ($1, $2) on conflict do nothing',
    values: [key, charge],
  });
  if (rowCount === 0) return repeat({ key, charge, reply });
  const response = await chargeProvider(provider, key, charge);
  await pool.query({
    name: 'finish',
    text: 'update bench.charges set response = $2 where key = $1',
    values: [key, response],
  });
  return reply.code(201).send(response);
}

async function repeat({ key, charge, reply }: ChargeRequest): Promise<unknown> {
  const { rows } = await pool.query<{ same: boolean; response: unknown }>({
    name: 'repeat',
    text: 'select request = $2 as same, response from bench.charges where key = $1',
    values: [key, charge],
  });
  const [row] = rows;
  if (row?.same !== true) return reply.code(422).send({ error: 'other parameters' });
  if (row.response === null) return reply.code(409).send({ error: 'in progress' });
  return reply.code(201).send(row.response);
}

async function main(): Promise<void> {
  await pool.query(TABLE);
  await serve(charge);
}

void main();
