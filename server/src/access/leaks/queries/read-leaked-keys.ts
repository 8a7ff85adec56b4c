import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

export interface LeakedKeyRow {
  readonly key_id: string;
  readonly brand_id: number;
  readonly name: string;
  readonly secret_sha256: Buffer;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

/** Reads keys of all brands by their public ids: a look-up in a unique index for each. */
export function readLeakedKeys(database: Queryable, keyIds: readonly string[]): Promise<LeakedKeyRow[]> {
  return database.run(
    statement<LeakedKeyRow>(
      'read_leaked_keys',
      `select key_id, brand_id, name, secret_sha256, expires_at, revoked_at from api_keys
       where key_id = any ($1::text[])`,
      [keyIds],
    ),
  );
}
