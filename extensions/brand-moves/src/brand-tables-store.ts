import type pg from 'pg';
import { quotedName } from '../../../server/src/backup/copy-connection.ts';
import type { BrandPart } from '../../../server/src/backup/manifest.ts';
import { listTables, type StoredTable } from '../../../server/src/backup/queries/list-stored-objects.ts';

/** A table with rows of brands. */
export interface BrandTable extends StoredTable {
  /** The column that holds the id of the brand. */
  readonly brandColumn: 'id' | 'brand_id';
  /** A generated id that no other row refers to; each cell makes its own, in the same order [D202]. */
  readonly renumbered: string | null;
}

/** Tables whose generated ids are unique across brands and stay behind when a brand moves. */
const renumberedIds: Readonly<Record<string, string>> = { 'public.audit_entries': 'id' };

/** Lists the tables of a schema with rows of brands, `brands` or by a column `brand_id`, each after those that it refers to. */
export async function listBrandTables(
  client: pg.Client,
  schema: 'public' | 'analytics',
): Promise<BrandTable[]> {
  const tables = (await listTables(client, [schema])).filter(
    ({ schema: found, name, columns }) =>
      found === schema && (columns.includes('brand_id') || isBrands({ schema: found, name })),
  );
  const references = await listReferences(client, schema);
  return inOrder(tables, references).map((table) => ({
    ...table,
    brandColumn: isBrands(table) ? 'id' : 'brand_id',
    renumbered: renumberedIds[`${table.schema}.${table.name}`] ?? null,
  }));
}

function isBrands({ schema, name }: Pick<StoredTable, 'schema' | 'name'>): boolean {
  return schema === 'public' && name === 'brands';
}

interface Reference {
  readonly table: string;
  readonly target: string;
}

async function listReferences(client: pg.Client, schema: string): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select t.relname as table, r.relname as target
     from pg_constraint c
     join pg_class t on t.oid = c.conrelid
     join pg_class r on r.oid = c.confrelid
     join pg_namespace n on n.oid = c.connamespace
     where n.nspname = $1 and c.contype = 'f' and c.conparentid = 0 and t.oid <> r.oid`,
    [schema],
  );
  return rows;
}

/** Sorts tables so that each comes after those that it refers to. */
function inOrder(tables: readonly StoredTable[], references: readonly Reference[]): StoredTable[] {
  const sorted = new Set<StoredTable>();
  const add = (table: StoredTable, path: readonly string[]) => {
    if (sorted.has(table)) return;
    if (path.includes(table.name)) throw new Error(`${path.join(', ')} refer to each other`);
    for (const { target } of references.filter((one) => one.table === table.name)) {
      const referred = tables.find(({ name }) => name === target);
      if (referred !== undefined) add(referred, [...path, table.name]);
    }
    sorted.add(table);
  };
  for (const table of tables) add(table, []);
  return [...sorted];
}

export function ofBrand({ brandColumn }: BrandTable, brandId: number): string {
  return `"${brandColumn}" = ${brandId}`;
}

/** The greatest id that a brand has of a table whose ids are unique in the brand only. */
export type LastId = BrandPart['last_ids'][number];

/** Reads the greatest generated id of each table that the brand has rows of. Ids that are unique across brands are left out. */
export async function readLastIds(
  client: pg.Client,
  tables: readonly BrandTable[],
  brandId: number,
): Promise<LastId[]> {
  const { rows } = await client.query<{ schema: string; table: string; column: string }>(
    `select n.nspname as schema, c.relname as table, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and a.attnum > 0 and not c.relispartition
       and pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) is not null`,
    [[...new Set(tables.map(({ schema }) => schema))]],
  );
  const lastIds: LastId[] = [];
  for (const { schema, table, column } of rows) {
    const found = tables.find((one) => one.schema === schema && one.name === table);
    if (found === undefined || found.brandColumn === 'id' || found.renumbered !== null) continue;
    if (schema === 'public' && table === 'feed_tokens') continue;
    const { rows: read } = await client.query<{ last: string | null }>(
      `select max("${column}")::text as last from ${quotedName(found)} where ${ofBrand(found, brandId)}`,
    );
    const last = read[0]?.last ?? null;
    if (last !== null) lastIds.push({ schema, table, column, last });
  }
  return lastIds;
}
