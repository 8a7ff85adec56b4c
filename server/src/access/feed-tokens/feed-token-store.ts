import type { OwnedAccess } from '../../api/access.ts';
import type { Page } from '../../api/pagination.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Database } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type FeedToken, feedTokenIdFromPath } from './feed-token.ts';

interface FeedTokenRow {
  readonly id: number;
  readonly brand_id: number;
  readonly name: string;
  readonly hint: string;
  readonly last_used_at: Date | null;
  readonly last_used_from: string | null;
  readonly created_at: Date;
}

/** All but the hash, which only authentication reads. */
const feedTokenColumns = 'id, brand_id, name, hint, last_used_at, last_used_from, created_at';

function feedTokenFromRow(row: FeedTokenRow): FeedToken {
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

/** Lists one page of a brand's feed tokens, newest first, and counts all. */
export async function listFeedTokens(
  database: Database,
  brandId: number,
  page: Page,
): Promise<{ tokens: FeedToken[]; total: number }> {
  const where = new Conditions(['brand_id = $1'], [brandId]);
  const list = { name: 'feed_tokens', columns: feedTokenColumns, from: 'feed_tokens', where };
  const { rows, total } = await readPage<FeedTokenRow>(database, { ...list, orderBy: 'id desc' }, page);
  return { tokens: rows.map(feedTokenFromRow), total };
}

/** Access to operations that name a feed token as `:id`. */
export const ownedFeedToken: OwnedAccess = {
  findBrandId: async (database, { id = '' }) => {
    const rows = await database.run(
      statement<{ brand_id: number }>(
        'find_brand_of_feed_token',
        'select brand_id from feed_tokens where id = $1',
        [feedTokenIdFromPath(id)],
      ),
    );
    return rows[0]?.brand_id ?? null;
  },
};
