/** The driver's connection, for several statements before one Sync (one-trip.ts). */
import pg from 'pg';
import { type Columns } from './columns';

/** As far as it is used here; test/store/one-trip.test.ts guards upgrades. */
export interface Wire {
  /** Texts by name; what is in it is not parsed again. */
  readonly parsedStatements: Record<string, string | undefined>;
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: Bind): void;
  describe(message: { readonly type: 'P'; readonly name: string }): void;
  execute(message: { readonly portal: string; readonly rows: number }): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}

interface Bind {
  readonly portal: string;
  readonly statement: string;
  readonly values: readonly WireValue[];
  readonly valueMapper: (value: WireValue) => WireValue;
}

/** A prepared statement, its values as they travel. */
export interface ReadyStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly WireValue[];
}

type WireValue = string | Buffer | null;

/** How the driver turns a value into text or bytes. Throws where it cannot. */
export const { prepareValue } = (pg as unknown as Driver).utils;

interface Driver {
  readonly utils: { readonly prepareValue: (value: unknown) => WireValue };
}

/** By name, of each connection: how rows are read; null where there are none. */
const known = new WeakMap<Wire, Map<string, Columns | null>>();

/**
 * How the rows of a prepared statement are read; undefined where it must be described. What it brings
 * cannot change: PostgreSQL refuses a prepared statement whose columns are others since.
 */
export function knownColumns(wire: Wire, name: string): Columns | null | undefined {
  return known.get(wire)?.get(name);
}

/** The statement is prepared for good, and this is how its rows are read. */
export function keepPrepared(
  wire: Wire,
  { name, text }: Pick<ReadyStatement, 'name' | 'text'>,
  columns: Columns | null,
): void {
  wire.parsedStatements[name] = text;
  const columnsByName = known.get(wire);
  if (columnsByName === undefined) known.set(wire, new Map([[name, columns]]));
  else columnsByName.set(name, columns);
}

/** It is parsed anew when it comes again, and so described. */
export function forgetPrepared(wire: Wire, name: string): void {
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the driver's own cache
  delete wire.parsedStatements[name];
}

/** Sends them all; returns the names of those that were not prepared. */
export function sendAll(wire: Wire, statements: readonly ReadyStatement[]): readonly string[] {
  const unprepared = statements.filter((one) => wire.parsedStatements[one.name] !== one.text);
  const names = unprepared.map(({ name }) => name);
  wire.stream.cork();
  for (const one of statements) sendOne(wire, one, names.includes(one.name));
  wire.sync();
  wire.stream.uncork();
  return names;
}

function sendOne(wire: Wire, { name, text, values }: ReadyStatement, parse: boolean): void {
  if (parse) {
    // Closing what does not exist is allowed, and makes a statement that was forgotten no clash.
    wire.close({ type: 'S', name });
    wire.parse({ name, text });
  }
  wire.bind({ portal: '', statement: name, values, valueMapper: (same) => same });
  if (parse || knownColumns(wire, name) === undefined) wire.describe({ type: 'P', name: '' });
  wire.execute({ portal: '', rows: 0 });
}
