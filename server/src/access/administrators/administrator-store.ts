import type { Page } from '../../api/pagination.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Administrator } from './administrator.ts';

/** All but the hash of the secret, which only authentication reads. */
const columns = `id as "rowId", token_id as id, name, role, brand_ids as "brandIds", expires_at as "expiresAt",
  last_used_at as "lastUsedAt", last_used_from as "lastUsedFrom", created_at as "createdAt"`;

export interface AdministratorInsert
  extends Pick<Administrator, 'id' | 'name' | 'role' | 'brandIds' | 'expiresAt'> {
  readonly secretSha256: Buffer;
}

export async function insertAdministrator(
  tx: Transaction,
  { id, secretSha256, name, role, brandIds, expiresAt }: AdministratorInsert,
): Promise<Administrator> {
  const rows = await tx.run(
    statement<Administrator>(
      'insert_administrator',
      `insert into administrators (token_id, secret_sha256, name, role, brand_ids, expires_at)
       values ($1, $2, $3, $4, $5, $6)
       returning ${columns}`,
      [id, secretSha256, name, role, brandIds, expiresAt],
    ),
  );
  return rows[0] as Administrator;
}

export async function deleteAdministratorRow(tx: Transaction, id: string): Promise<Administrator | null> {
  const rows = await tx.run(
    statement<Administrator>(
      'delete_administrator',
      `delete from administrators where token_id = $1 returning ${columns}`,
      [id],
    ),
  );
  return rows[0] ?? null;
}

/** Finds an administrator by its public id, on every request with its token: a deleted one is refused at once, everywhere. */
export async function findAdministrator(
  database: Queryable,
  id: string,
): Promise<{ administrator: Administrator; secretSha256: Buffer } | null> {
  const rows = await database.run(
    statement<Administrator & { readonly secretSha256: Buffer }>(
      'find_administrator',
      `select ${columns}, secret_sha256 as "secretSha256" from administrators where token_id = $1`,
      [id],
      { vital: true },
    ),
  );
  if (rows[0] === undefined) return null;
  const { secretSha256, ...administrator } = rows[0];
  return { administrator, secretSha256 };
}

export function listAdministrators(
  database: Queryable,
  page: Page,
): Promise<{ rows: Administrator[]; total: number }> {
  const where = new Conditions([], []);
  const list = { name: 'administrators', columns, from: 'administrators', where };
  return readPage(database, { ...list, orderBy: 'administrators.id desc' }, page);
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
