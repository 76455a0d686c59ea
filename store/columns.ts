/** How the rows of a prepared statement are read: worked out once for each connection, not for each row. */
import pg from 'pg';

/** A column as PostgreSQL describes it. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Which function reads the values of a type; a connection may have its own. */
export interface Types {
  getTypeParser(dataTypeID: number, format: 'text'): (text: string) => unknown;
}

/** The columns of one statement's rows. */
export interface Columns {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
  /** A row without values: those that are made from it have one shape, which makes them quick to use. */
  readonly template: Readonly<Record<string, null>>;
}

/** Of a description. */
export function columnsOf(fields: readonly Field[], types: Types = pg.types): Columns {
  const names = fields.map(({ name }) => name);
  return {
    names,
    parsers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text')),
    template: Object.fromEntries(names.map((name) => [name, null])),
  };
}

/** A row from its values as they travelled. Throws where one cannot be read. */
export function rowOf(
  { names, parsers, template }: Columns,
  values: readonly (string | null)[],
): Record<string, unknown> {
  const row: Record<string, unknown> = { ...template };
  names.forEach((name, index) => {
    const text = values[index] ?? null;
    if (text !== null) row[name] = parsers[index]?.(text);
  });
  return row;
}
