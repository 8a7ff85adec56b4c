import { unpackRows } from './unpack-rows.ts';

/** A column of a packed row: the SQL of its value, and how the value is packed and read. */
export interface PackedColumn<T> {
  readonly sql: string;
  readonly kind: Kind;
  readonly canBeNull: boolean;
  /** Never set; carries the type of the value. */
  readonly value?: T;
}

type Kind = 'number' | 'boolean' | 'instant' | 'date' | 'code' | 'text' | 'json';

export type PackedColumns = Readonly<Record<string, PackedColumn<unknown>>>;

export interface PackedRow {
  readonly packed: string;
}

/** Where a value is in an unpacked row. */
export type Position<T> = number & { readonly value?: T };

export type Positions<C extends PackedColumns> = {
  readonly [Name in keyof C]: C[Name] extends PackedColumn<infer T> ? Position<T> : never;
};

/** An unpacked row; `valueAt` reads it. */
export type UnpackedRow = readonly unknown[];

export function valueAt<T>(row: UnpackedRow, position: Position<T>): T {
  return row[position] as T;
}

const column =
  <T>(kind: Kind) =>
  <Own extends T = T>(sql: string): PackedColumn<Own> => ({ sql, kind, canBeNull: false });

const nullable =
  <T>(kind: Kind) =>
  (sql: string): PackedColumn<T | null> => ({ sql, kind, canBeNull: true });

export const packed = {
  /** An integer below 2^53, or a decimal of at most 15 significant digits, which a number represents exactly. */
  number: column<number>('number'),
  numberOrNull: nullable<number>('number'),
  boolean: column<boolean>('boolean'),
  /** A finite timestamp with milliseconds, as milliseconds since the Unix epoch. */
  instant: column<number>('instant'),
  /** `infinity` is Infinity. */
  instantOrNull: nullable<number>('instant'),
  /** A date as `YYYY-MM-DD`, under any settings of the database. */
  date: column<string>('date'),
  /** A string that never contains a comma, by a rule of its table or of the code that writes it, or an exact decimal. */
  code: column<string>('code'),
  codeOrNull: nullable<string>('code'),
  text: column<string>('text'),
  textOrNull: nullable<string>('text'),
  /** A value of type `jsonb`. */
  json: column<unknown>('json'),
};

export interface RowPacking<C extends PackedColumns> {
  /** One row as one SQL value. */
  readonly sql: string;
  readonly at: Positions<C>;
  /** Returns the packed rows of a subquery with the columns `packed` and `n`, by `n`, as one SQL value; '' for none. */
  aggregate(rows: string): string;
  /** Reads rows that follow each other. */
  unpack(text: string): UnpackedRow[];
}

/**
 * Packs all columns of a row into one value, because the driver's work depends on the number of values [D94]. Numbers
 * and codes come first, each followed by a comma, then the lengths of the texts, then the texts without separators, so
 * none needs escaping. JSON comes last, each followed by a line feed. Null is empty. Unpacked rows are arrays.
 */
export function packRows<C extends PackedColumns>(columns: C): RowPacking<C> {
  const all = Object.entries(columns).map(([name, own]) => ({ name, ...own }));
  const texts = all.filter(({ kind }) => kind === 'text');
  const json = all.filter(({ kind }) => kind === 'json');
  const separated = all.filter(({ kind }) => kind !== 'text' && kind !== 'json');
  const inOrder = [...separated, ...texts, ...json];
  const heads = [...separated.map(separatedSql), ...texts.map(lengthSql)].join(', ');
  const tails = [...texts.map(({ sql }) => sql), ...json.flatMap(({ sql }) => [sql, `E'\\n'`])];
  const isText = separated.map(({ kind }) => kind === 'code');
  const positionsOf = (one: Kind) =>
    inOrder.flatMap(({ kind }, position) => (kind === one ? [position] : []));
  const [booleans, dates] = [positionsOf('boolean'), positionsOf('date')];
  const shape = { isText, texts: texts.length, json: json.length, booleans, dates };
  return {
    sql: `concat(concat_ws(',', ${heads}), ',', ${tails.join(', ') || `''`})`,
    at: Object.fromEntries(inOrder.map(({ name }, position) => [name, position])) as Positions<C>,
    aggregate: (rows) =>
      `coalesce((select string_agg(rows.packed, '' order by rows.n) from (${rows}) as rows), '')`,
    unpack: (text) => unpackRows(text, shape),
  };
}

/** `date_part` is exact for milliseconds; `extract`, which is exact at any precision, takes twice as long. */
function separatedSql({ sql, kind, canBeNull }: PackedColumn<unknown>): string {
  if (kind === 'boolean') return `(${sql})::integer`;
  if (kind === 'date') return `${sql} - date '1970-01-01'`;
  const ms = `date_part('epoch', ${sql}) * 1000`;
  if (kind === 'instant') return canBeNull ? orEmpty(`round(${ms})`) : `(${ms})::bigint`;
  return canBeNull ? orEmpty(sql) : sql;
}

function lengthSql({ sql, canBeNull }: PackedColumn<unknown>): string {
  return canBeNull ? orEmpty(`length(${sql})`) : `length(${sql})`;
}

/** `concat_ws` would drop a null with its comma. */
function orEmpty(sql: string): string {
  return `coalesce((${sql})::text, '')`;
}
