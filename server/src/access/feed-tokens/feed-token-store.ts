import type { OwnedAccess } from '../../api/access.ts';
import type { Page } from '../../api/pagination.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Database } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type FeedToken, feedTokenIdFromPath } from './feed-token.ts';

/** All but the hash, which only authentication reads. */
const columns = `id, brand_id as "brandId", name, hint, last_used_at as "lastUsedAt", last_used_from as "lastUsedFrom",
  created_at as "createdAt"`;

export interface FeedTokenInsert extends Pick<FeedToken, 'brandId' | 'name' | 'hint'> {
  readonly tokenSha256: Buffer;
}

export async function insertFeedToken(tx: Transaction, token: FeedTokenInsert): Promise<FeedToken> {
  const rows = await tx.run(
    statement<FeedToken>(
      'insert_feed_token',
      `insert into feed_tokens (brand_id, token_sha256, hint, name)
       values ($1, $2, $3, $4)
       returning ${columns}`,
      [token.brandId, token.tokenSha256, token.hint, token.name],
    ),
  );
  return rows[0] as FeedToken;
}

/** Deletes a token and returns it; null if there is none. Exactly one of concurrent calls gets it. */
export async function deleteFeedTokenRow(tx: Transaction, id: number): Promise<FeedToken | null> {
  const rows = await tx.run(
    statement<FeedToken>('delete_feed_token', `delete from feed_tokens where id = $1 returning ${columns}`, [
      id,
    ]),
  );
  return rows[0] ?? null;
}

export function listFeedTokens(
  database: Database,
  brandId: number,
  page: Page,
): Promise<{ rows: FeedToken[]; total: number }> {
  const where = new Conditions(['brand_id = $1'], [brandId]);
  const list = { name: 'feed_tokens', columns, from: 'feed_tokens', where, orderBy: 'id desc' };
  return readPage(database, list, page);
}

export const ownedFeedToken: OwnedAccess = {
  findBrandId: async (database, { id = '' }) => {
    const rows = await database.run(
      statement<{ brandId: number }>(
        'find_brand_of_feed_token',
        'select brand_id as "brandId" from feed_tokens where id = $1',
        [feedTokenIdFromPath(id)],
      ),
    );
    return rows[0]?.brandId ?? null;
  },
};
