import { join } from 'node:path';
import pg from 'pg';
import { openBackup } from '../../../../server/src/backup/check-backup.ts';
import type { Address } from '../../../../server/src/backup/tests/backup-run.ts';
import type { CellAddresses, ImportedBrand } from '../../../../server/src/serve/brand-mover.ts';
import { runSql } from '../../../../server/test/support/fresh-database.ts';
import { makeDataDir } from '../../../../server/test/support/server-process.ts';
import { closeBrand } from '../close-brand.ts';
import { exportBrand } from '../export-brand.ts';
import { importBrand } from '../import-brand.ts';
import { withCell } from '../move-connection.ts';

const never = new AbortController().signal;
const quietly = { version: '1.2.3', log: () => {}, cancelled: never };

/** One database for both schemas. */
export const alone = (main: Address): CellAddresses => ({ main, analytics: null });

export async function newBrandFile(): Promise<string> {
  return join(await makeDataDir(), 'brand.tar');
}

export async function close(cell: CellAddresses, brandId: number): Promise<void> {
  await withCell(cell, (open) => closeBrand(open, brandId));
}

/** Closes and exports a brand; returns the file. */
export async function exportTo(cell: CellAddresses, brandId: number): Promise<string> {
  const file = await newBrandFile();
  await close(cell, brandId);
  await exportBrand(cell, brandId, file, quietly);
  return file;
}

export async function importFrom(file: string, cell: CellAddresses): Promise<ImportedBrand> {
  const backup = await openBackup(file, never, 'brand');
  return importBrand(backup, cell, quietly).finally(() => backup.reader.close());
}

/** Columns that a move changes on purpose, or that are written in the background. */
const ignored = ['closed_at', 'exported_at', 'brand_is_closed', 'last_used_at', 'last_used_from'];

/** Returns a digest of a brand's rows by table, as any cell has them. */
export async function digestBrand(address: Address, brandId: number): Promise<Record<string, string>> {
  const tables = await runSql<{ name: string; brand: string }>(
    address,
    `select format('%I.%I', n.nspname, c.relname) as name, case c.relname when 'brands' then 'id' else 'brand_id' end as brand
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'analytics') and c.relkind in ('r', 'p') and not c.relispartition
       and (c.relname = 'brands' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'brand_id'))
     order by 1`,
  );
  const digests = tables.map(({ name, brand }) => {
    const isAudit = name === 'public.audit_entries';
    const row = `to_jsonb(t) - '{${[...ignored, ...(isAudit ? ['id'] : [])].join()}}'::text[]`;
    const which = isAudit ? `and action not in ('brand.export', 'brand.import')` : '';
    return `select '${name}' as name, count(*) as rows, md5(string_agg((${row})::text, ',' order by (${row})::text)) as digest
      from ${name} t where ${brand} = ${brandId} ${which}`;
  });
  const rows = await runSql<{ name: string; rows: string; digest: string }>(
    address,
    digests.join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, rows: count, digest }) => [name, `${count} rows, ${digest}`]));
}

/** Runs `work` with a connection that is closed afterwards. */
export async function withClient<T>(address: Address, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(address);
  await client.connect();
  return work(client).finally(() => client.end());
}
