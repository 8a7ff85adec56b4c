import type { AccessRole } from '../../api/access.ts';
import type { Page } from '../../api/pagination.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Administrator } from './administrator.ts';

interface AdministratorRow {
  readonly id: number;
  readonly token_id: string;
  readonly name: string;
  readonly role: AccessRole;
  readonly brand_ids: number[] | null;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly last_used_from: string | null;
  readonly created_at: Date;
}

/** All but the hash of the secret, which only authentication reads. */
const columns = 'id, token_id, name, role, brand_ids, expires_at, last_used_at, last_used_from, created_at';

function administratorFromRow(row: AdministratorRow): Administrator {
  return {
    rowId: row.id,
    id: row.token_id,
    name: row.name,
    role: row.role,
    brandIds: row.brand_ids,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    createdAt: row.created_at,
  };
}

export interface AdministratorInsert
  extends Pick<Administrator, 'id' | 'name' | 'role' | 'brandIds' | 'expiresAt'> {
  readonly secretSha256: Buffer;
}

export async function insertAdministrator(
  tx: Transaction,
  { id, secretSha256, name, role, brandIds, expiresAt }: AdministratorInsert,
): Promise<Administrator> {
  const rows = await tx.run(
    statement<AdministratorRow>(
      'insert_administrator',
      `insert into administrators (token_id, secret_sha256, name, role, brand_ids, expires_at)
       values ($1, $2, $3, $4, $5, $6)
       returning ${columns}`,
      [id, secretSha256, name, role, brandIds, expiresAt],
    ),
  );
  return administratorFromRow(rows[0] as AdministratorRow);
}

/** Deletes an administrator with its sessions and returns it; null if there is none. */
export async function deleteAdministratorRow(tx: Transaction, id: string): Promise<Administrator | null> {
  const rows = await tx.run(
    statement<AdministratorRow>(
      'delete_administrator',
      `delete from administrators where token_id = $1 returning ${columns}`,
      [id],
    ),
  );
  return rows[0] === undefined ? null : administratorFromRow(rows[0]);
}

/**
 * Finds an administrator by its public id, with the hash of its secret, on every request with its token: a deleted one is
 * refused by the next request, in every process. One row by a unique index.
 */
export async function findAdministrator(
  database: Queryable,
  id: string,
): Promise<{ administrator: Administrator; secretSha256: Buffer } | null> {
  const rows = await database.run(
    statement<AdministratorRow & { readonly secret_sha256: Buffer }>(
      'find_administrator',
      `select ${columns}, secret_sha256 from administrators where token_id = $1`,
      [id],
    ),
  );
  const row = rows[0];
  return row === undefined
    ? null
    : { administrator: administratorFromRow(row), secretSha256: row.secret_sha256 };
}

/** Lists one page, newest first, and counts all. */
export async function listAdministrators(
  database: Queryable,
  page: Page,
): Promise<{ administrators: Administrator[]; total: number }> {
  const list = { name: 'administrators', columns, from: 'administrators', orderBy: 'id desc' };
  const where = new Conditions([], []);
  const { rows, total } = await readPage<AdministratorRow>(database, { ...list, where }, page);
  return { administrators: rows.map(administratorFromRow), total };
}

/** Returns the ids that name no brand. */
export async function findUnknownBrands(database: Queryable, ids: readonly number[]): Promise<number[]> {
  const rows = await database.run(
    statement<{ id: number }>(
      'find_unknown_brands',
      `select given.id from unnest($1::integer[]) as given (id)
       where not exists (select 1 from brands b where b.id = given.id)`,
      [ids],
    ),
  );
  return rows.map(({ id }) => id);
}
