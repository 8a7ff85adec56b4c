import assert from 'node:assert/strict';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import type { ApiClient } from '../support/api-client.ts';
import { placeOf, type SentWrites } from './sent-writes.ts';
import type { ReportedLine } from './stock-storm.ts';
import { type Chain, type ChainEntry, explainPath, type RefusedEntry } from './walk-chain.ts';

/** The reports of all feeds, by the id of the feed. */
export type Reports = ReadonlyMap<string, readonly ReportedLine[]>;

/** Asserts that the movements of a chain lead from 0 to the quantity of the level, without a gap, in the order of time. */
export function checkFold({ place, level, quantityAt, firstAt, entries }: Chain): void {
  let quantity = 0;
  let last: ChainEntry | null = null;
  for (const entry of entries.toReversed()) {
    assert.equal(entry.quantity_before, quantity, `${place}: movement ${entry.id} continues the one before`);
    assert.notEqual(entry.quantity_after, quantity, `${place}: movement ${entry.id} changes the quantity`);
    if (last !== null) {
      assert.ok(entry.id > last.id, `${place}: movement ${entry.id} is listed once`);
      assert.ok(entry.at >= last.at, `${place}: movement ${entry.id} is not older than the one before`);
    }
    quantity = entry.quantity_after;
    last = entry;
  }
  assert.equal(quantityAt, quantity, place);
  assert.equal(level?.quantity ?? 0, quantity, place);
  assert.equal(firstAt, entries.at(-1)?.at ?? null, place);
}

/** Asserts that each movement names what the test has sent: the adjustment, or the line of a feed that was applied. */
export function checkOrigins({ place, entries }: Chain, sent: SentWrites, reports: Reports): void {
  for (const entry of entries) {
    const { feed } = entry;
    if (feed === null) {
      const adjustment = sent.adjustments.get(entry.id);
      assert.ok(adjustment, `${place}: no adjustment made movement ${entry.id}`);
      assert.deepEqual(
        [entry.kind, place, entry.quantity_after, entry.note, entry.key_id, entry.request_id],
        [
          'adjustment',
          adjustment.place,
          adjustment.quantity,
          adjustment.note,
          adjustment.keyId,
          adjustment.requestId,
        ],
      );
      continue;
    }
    assert.equal(entry.kind, 'feed_line');
    const line = checkFeedLine(place, entry, sent, reports);
    assert.deepEqual([line.result, line.quantity], ['applied', entry.quantity_after], place);
  }
}

/** Asserts that each stale or superseded line of the level is refused once, and nothing else. */
export function checkRefused({ place, refused }: Chain, sent: SentWrites, reports: Reports): void {
  for (const entry of refused) {
    const line = checkFeedLine(place, entry, sent, reports);
    assert.deepEqual([line.result, line.quantity], [entry.result, entry.quantity], place);
  }
  const expected = [...reports].flatMap(([feedId, lines]) =>
    lines
      .filter((line) => placeOf(line) === place && ['stale', 'superseded'].includes(line.result))
      .map(({ line }) => `${feedId} ${line}`),
  );
  const found = refused.map(({ feed }) => `${feed.feed_id} ${feed.line}`);
  assert.deepEqual(found.sort(), expected.sort(), `${place}: every refused line, once`);
}

/** Asserts that the service gives the quantity, the last entry and the next change of instants of the chain. */
export async function checkInstants(
  admin: ApiClient,
  brandId: number,
  { place, entries }: Chain,
  instants: readonly string[],
): Promise<void> {
  for (const at of instants) {
    const until = entries.find((entry) => entry.at <= at);
    const after = entries.findLast((entry) => entry.at > at);
    const {
      quantity_at,
      entries: listed,
      next_at,
    } = await ok(admin.get(explainPath(brandId, place, { at, limit: 1 })));
    assert.deepEqual(
      [quantity_at, listed[0]?.id, next_at],
      [until?.quantity_after ?? 0, until?.id, after?.at ?? null],
      `${place} at ${at}`,
    );
  }
}

function checkFeedLine(
  place: string,
  { feed, key_id, request_id }: Pick<RefusedEntry, 'feed' | 'key_id' | 'request_id'> | ChainEntry,
  sent: SentWrites,
  reports: Reports,
): ReportedLine {
  assert.ok(feed);
  const submitted = sent.feeds.get(feed.feed_id);
  assert.ok(submitted, `${place}: nobody has sent feed ${feed.feed_id}`);
  assert.deepEqual(
    [feed.source_batch_id, key_id, request_id],
    [submitted.batchId, submitted.keyId, submitted.requestId],
    place,
  );
  const line = submitted.lines[feed.line];
  const reported = reports.get(feed.feed_id)?.[feed.line];
  assert.ok(
    line !== undefined && reported !== undefined,
    `${place}: feed ${feed.feed_id} has line ${feed.line}`,
  );
  assert.equal(placeOf(line), place);
  assert.equal(feed.updated_at, line.updated_at ?? reported.updated_at);
  return { ...reported, quantity: line.quantity };
}
