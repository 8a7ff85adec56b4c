import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { FeedToken } from './feed-token.ts';

export interface FeedTokenRow {
  readonly id: number;
  readonly brand_id: number;
  readonly name: string;
  readonly hint: string;
  readonly last_used_at: Date | null;
  readonly last_used_from: string | null;
  readonly created_at: Date;
}

/** All but the hash, which only authentication reads. */
export const feedTokenColumns = 'id, brand_id, name, hint, last_used_at, last_used_from, created_at';

export function feedTokenFromRow(row: FeedTokenRow): FeedToken {
  return {
    id: row.id,
    brandId: row.brand_id,
    name: row.name,
    hint: row.hint,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    createdAt: row.created_at,
  };
}

export interface FeedTokenInsert extends Pick<FeedToken, 'brandId' | 'name' | 'hint'> {
  readonly tokenSha256: Buffer;
}

export async function insertFeedToken(tx: Transaction, token: FeedTokenInsert): Promise<FeedToken> {
  const rows = await tx.run(
    statement<FeedTokenRow>(
      'insert_feed_token',
      `insert into feed_tokens (brand_id, token_sha256, hint, name)
       values ($1, $2, $3, $4)
       returning ${feedTokenColumns}`,
      [token.brandId, token.tokenSha256, token.hint, token.name],
    ),
  );
  return feedTokenFromRow(rows[0] as FeedTokenRow);
}

/** Deletes a token and returns it; null if there is none. Exactly one of concurrent calls gets it. */
export async function deleteFeedTokenRow(tx: Transaction, id: number): Promise<FeedToken | null> {
  const rows = await tx.run(
    statement<FeedTokenRow>(
      'delete_feed_token',
      `delete from feed_tokens where id = $1 returning ${feedTokenColumns}`,
      [id],
    ),
  );
  return rows[0] === undefined ? null : feedTokenFromRow(rows[0]);
}
