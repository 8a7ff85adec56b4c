import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

export interface StoredSecret {
  /** The public id; of a feed token its digest, in hexadecimal digits. */
  readonly name: string;
  readonly id: string | number;
  readonly brand_id: number | null;
  readonly label: string;
  readonly secret_sha256: Buffer;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

/** Reads keys and administrators by the public ids of their secrets, and feed tokens by their digests, of all brands. */
export async function readStoredSecrets(
  database: Queryable,
  publicIds: readonly string[],
  digests: readonly Buffer[],
): Promise<StoredSecret[]> {
  const keys = statement<StoredSecret>(
    'read_leaked_keys',
    `select key_id as name, key_id as id, brand_id, name as label, secret_sha256, expires_at, revoked_at from api_keys
     where key_id = any ($1::text[])
     union all
     select token_id, token_id, null, name, secret_sha256, expires_at, null from administrators
     where token_id = any ($1::text[])`,
    [publicIds],
  );
  const feedTokens = statement<StoredSecret>(
    'read_leaked_feed_tokens',
    `select encode(token_sha256, 'hex') as name, id, brand_id, name as label, token_sha256 as secret_sha256,
       null::timestamptz as expires_at, null::timestamptz as revoked_at
     from feed_tokens where token_sha256 = any ($1::bytea[])`,
    [digests],
  );
  return (
    await Promise.all([
      publicIds.length === 0 ? [] : database.run(keys),
      digests.length === 0 ? [] : database.run(feedTokens),
    ])
  ).flat();
}
