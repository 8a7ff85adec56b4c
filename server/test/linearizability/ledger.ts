import assert from 'node:assert/strict';
import type { ExchangeClient } from './exchange.ts';
import type { AppliedFeed } from './feed-client.ts';
import type { Place } from './level-history.ts';
import type { AcknowledgedAdjustment } from './stock-client.ts';

export interface Movement {
  readonly id: number;
  readonly quantity_before: number;
  readonly quantity_after: number;
  readonly delta: number;
  readonly reason: 'manual' | 'feed';
  readonly note: string;
}

/** Returns all movements of a place, oldest first. */
export async function readLedger(client: ExchangeClient, place: Place): Promise<Movement[]> {
  const { productTuId, variantTuId, location } = place;
  const movements: Movement[] = [];
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({ location, per_page: '200', page: String(page) });
    if (variantTuId !== null) query.set('variant', variantTuId);
    const path = `/catalog/products/${productTuId}/stock/movements?${query}`;
    const { status, text, json } = (await client.sendUntilKnown({ path })).response;
    assert.equal(status, 200, text);
    movements.push(...json.data);
    if (page >= json.meta.last_page) return movements.reverse();
  }
}

/** Asserts that each movement starts where the previous one ended, the first at 0. Returns the final quantity. */
export function assertChain(movements: readonly Movement[]): number {
  let quantity = 0;
  let lastId = 0;
  for (const { id, quantity_before, quantity_after, delta } of movements) {
    assert.ok(id > lastId, `movement ${id} after ${lastId}`);
    assert.equal(quantity_before, quantity, `movement ${id}`);
    assert.equal(delta, quantity_after - quantity_before);
    assert.notEqual(delta, 0);
    quantity = quantity_after;
    lastId = id;
  }
  return quantity;
}

/** Asserts that every acknowledged write that changed the level has exactly one movement, and every movement one write. */
export function assertMovementsOfWrites(
  place: Place,
  movements: readonly Movement[],
  adjustments: readonly AcknowledgedAdjustment[],
  feeds: readonly AppliedFeed[],
): void {
  const here = adjustments.filter((adjustment) => adjustment.place.key === place.key);
  const expected = here.flatMap(({ movementId, note, quantity }) =>
    movementId === null ? [] : [`${movementId} ${note} ${quantity}`],
  );
  const byHand = movements.filter(({ reason }) => reason === 'manual');
  assert.deepEqual(
    byHand.map(({ id, note, quantity_after }) => `${id} ${note} ${quantity_after}`).sort(),
    expected.sort(),
  );
  const applied = new Map(
    feeds.flatMap(({ feedId, lines }) =>
      lines
        .filter((line) => line.place.key === place.key && line.result === 'applied')
        .map(({ quantity }) => [`feed:${feedId}`, quantity]),
    ),
  );
  const fromFeeds = movements.filter(({ reason }) => reason === 'feed');
  assert.equal(new Set(fromFeeds.map(({ note }) => note)).size, fromFeeds.length, 'a line was applied twice');
  for (const { note, quantity_after } of fromFeeds) assert.equal(applied.get(note), quantity_after, note);
}

/** Asserts that adjustments and feeds of the brand are in the ledger in the order that clients observed. */
export function assertRealTimeOrder(
  movements: readonly Movement[],
  adjustments: readonly AcknowledgedAdjustment[],
  feeds: readonly AppliedFeed[],
): void {
  const byHand = new Map(
    adjustments.map(({ note, invokedAt, returnedAt }) => [note, [invokedAt, returnedAt]]),
  );
  // Feeds run in order of receipt [catalog-115], so the time of acceptance counts.
  const received = new Map(
    feeds.map(({ feedId, submittedAt, acceptedAt }) => [`feed:${feedId}`, [submittedAt, acceptedAt]]),
  );
  for (const times of [byHand, received]) {
    let latestStart = Number.NEGATIVE_INFINITY;
    for (const { note } of movements) {
      const [start, end] = times.get(note) ?? [];
      if (start === undefined || end === undefined) continue;
      assert.ok(end >= latestStart, `${note} had ended before one that stands before it began`);
      latestStart = Math.max(latestStart, start);
    }
  }
}
