import type { Scope } from '../../api/scopes.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** The stored credential that a request names. */
export interface CredentialRow {
  readonly id: number;
  readonly brand_id: number;
  readonly lineage_id: number;
  readonly secret_sha256: Buffer;
  readonly name: string;
  readonly scopes: Scope[];
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

/**
 * Looks up a key by its public id, on every request, so that a revoked key is refused by the next one, in every
 * process [platform-4] [D4]. Reads one row by a unique index, which takes a round trip.
 */
export async function findCredential(database: Queryable, keyId: string): Promise<CredentialRow | null> {
  const rows = await database.run(
    statement<CredentialRow>(
      'find_credential',
      `select id, brand_id, lineage_id, secret_sha256, name, scopes, expires_at, revoked_at
       from api_keys
       where key_id = $1`,
      [keyId],
    ),
  );
  return rows[0] ?? null;
}
