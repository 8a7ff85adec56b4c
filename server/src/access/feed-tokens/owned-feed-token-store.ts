import type { OwnedAccess } from '../../api/access.ts';
import { statement } from '../../postgres/statement.ts';
import { feedTokenIdFromPath } from './feed-token-wire.ts';

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
