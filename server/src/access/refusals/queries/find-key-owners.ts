import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

export interface KeyOwner {
  readonly brandId: number;
  /** null: the key is deleted. */
  readonly rowId: number | null;
}

/** Finds the brands of keys by their public ids; those of deleted keys as long as the audit has their deletion. */
export async function findKeyOwners(
  database: Queryable,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, KeyOwner>> {
  const rows = await database.run(
    statement<{ key_id: string; brand_id: number; id: number | null }>(
      'find_key_owners',
      `select key_id, brand_id, id from api_keys where key_id = any($1)
       union all
       select resource_id, brand_id, null from audit_entries
       where resource_id = any($1) and action = 'api_key.delete' and brand_id is not null`,
      [keyIds],
      { long: true },
    ),
  );
  return new Map(rows.map(({ key_id, brand_id, id }) => [key_id, { brandId: brand_id, rowId: id }]));
}
