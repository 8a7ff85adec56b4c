import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { OwnLimits } from '../own-limits.ts';

export async function findBrandLimits(database: Queryable, brandId: number): Promise<OwnLimits | null> {
  const rows = await database.run(
    statement<{ ownLimits: OwnLimits | null }>(
      'find_brand_limits',
      'select own_limits as "ownLimits" from brands where id = $1',
      [brandId],
    ),
  );
  return rows[0]?.ownLimits ?? null;
}

export async function setBrandLimits(tx: Transaction, brandId: number, own: OwnLimits | null): Promise<void> {
  await tx.run(
    statement<never>('set_brand_limits', 'update brands set own_limits = $2::jsonb where id = $1', [
      brandId,
      own,
    ]),
  );
}

export async function setKeyLimits(
  tx: Transaction,
  { brandId, keyId }: { readonly brandId: number; readonly keyId: string },
  own: OwnLimits | null,
): Promise<void> {
  await tx.run(
    statement<never>(
      'set_key_limits',
      'update api_keys set own_limits = $3::jsonb where brand_id = $1 and key_id = $2',
      [brandId, keyId, own],
    ),
  );
}

/** Returns the active keys of a brand that have own limits. */
export async function listKeysWithLimits(
  database: Queryable,
  brandId: number,
  now: Date,
): Promise<{ keyId: string; ownLimits: OwnLimits }[]> {
  return database.run(
    statement<{ keyId: string; ownLimits: OwnLimits }>(
      'list_keys_with_limits',
      `select key_id as "keyId", own_limits as "ownLimits" from api_keys
       where brand_id = $1 and own_limits is not null and revoked_at is null and (expires_at is null or expires_at > $2)
       order by id desc`,
      [brandId, now],
    ),
  );
}
