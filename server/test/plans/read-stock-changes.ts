import assert from 'node:assert/strict';
import { sealChangeToken } from '../../src/catalog/stock/changed-levels-store.ts';
import type { Subjects } from './hot-requests.ts';

/** Follows the changes of stock from the start, from the middle of those that are recorded, and from the last one. */
export async function readStockChanges({ apps, brand: { client, brandId }, skus }: Subjects): Promise<void> {
  const recorded = await apps.sql<{ version: number; changed_at: Date }>(
    'select version::integer, changed_at from stock_changes where brand_id = $1 order by version',
    [brandId],
  );
  const token = (place: { version: number; changed_at: Date } | undefined) => {
    assert.ok(place);
    const { version, changed_at: at } = place;
    const changes = { version, changedAt: at.getTime(), done: null, afterLevel: null };
    return sealChangeToken(apps.context.changeSeal, brandId, changes);
  };
  for (const after of ['start', token(recorded[Math.floor(recorded.length / 2)]), token(recorded.at(-1))])
    for (const filter of ['', '&per_page=200', `&sku=${skus[0]}`, '&location=L2', '&sku=none&location=L1']) {
      const path = `/catalog/stock/levels?changed_after=${after}${filter}`;
      const { status, text } = await client.get(path);
      assert.ok(status < 300, `${path}: ${status} ${text}`);
    }
}
