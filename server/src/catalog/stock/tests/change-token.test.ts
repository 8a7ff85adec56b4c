import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps, type TestApps } from '../../../../test/support/test-apps.ts';
import { createSeal } from '../../../lib/secrets.ts';
import { dayMs, retainOne } from '../../../retention/tests/retain.ts';
import { ok } from '../../tests/new-axes.ts';
import {
  type ChangePosition,
  hasAllChangesSince,
  positionOfToken,
  sealChangeToken,
} from '../changed-levels-store.ts';
import { FollowedStock, levelsPath } from './followed-stock.ts';
import { adjusted, newSimple } from './stock.ts';

const apps = await createTestApps();

async function newShop() {
  const brand = await apps.newBrand();
  const { tu_id } = await newSimple(brand.client, 'S');
  const set = (quantity: number) => adjusted(brand.client, tu_id, { quantity });
  const token = async () => (await ok(brand.client.get(levelsPath))).meta.changed_token as string;
  return { ...brand, tuId: tu_id as string, set, token };
}

async function assertInvalid(client: TestApps['anonymous'], token: string): Promise<void> {
  const answer = await client.get(`${levelsPath}?changed_after=${encodeURIComponent(token)}`);
  assertRefused(answer, 'validation_failed', ['changed_after']);
  assert.match(answer.json.errors.changed_after[0], /Read all levels again, with start\.$/);
}

/** Moves everything that is recorded of a brand's stock into the past. */
async function letPass(brandId: number, days: number): Promise<void> {
  const back = [brandId, `${days} days`];
  await apps.sql(`update stock_changes set changed_at = changed_at - $2::interval where brand_id = $1`, back);
  await apps.sql(`update brand_stocks set changed_at = changed_at - $2::interval where brand_id = $1`, back);
  await apps.sql(`update stock_levels set updated_at = updated_at - $2::interval where brand_id = $1`, back);
}

// [catalog-120] [catalog-121]
describe('a token of changes', () => {
  it('is invalid when it is any other string, damaged, or of another brand', async () => {
    const { client, set, token } = await newShop();
    await set(1);
    const own = await token();
    for (const text of ['', 'START', 'x', '0', `${own}=`, own.slice(1), `${own}A`, 'A'.repeat(5_000)])
      await assertInvalid(client, text);
    const other = await newShop();
    await assertInvalid(other.client, own);
    await other.set(1);
    await assertInvalid(other.client, own);
    assert.deepEqual(await new FollowedStock(client, { token: own }).changes(), []);
  });

  it('is valid as long as the changes after it are recorded: at least 7 days', async () => {
    const shop = await newShop();
    await shop.set(1);
    await shop.set(2);
    await letPass(shop.brandId, 1.5);
    const [first, second] = [new FollowedStock(shop.client), new FollowedStock(shop.client)];
    await first.catchUp();
    await second.catchUp();
    await shop.set(3);
    const before = first.token;
    // The token names the instant at which its version was written.
    apps.clock.advance(7.9 * dayMs);
    await retainOne(apps, 'stock-changes', 8);
    assert.deepEqual(await first.changes(), ['S@__default__=3']);
    assert.deepEqual(
      await apps.sql('select version::integer from stock_changes where brand_id = $1', [shop.brandId]),
      [{ version: 3 }],
    );
    // Nothing has changed since: no number of days makes it invalid.
    apps.clock.advance(30 * dayMs);
    await retainOne(apps, 'stock-changes', 8);
    assert.deepEqual(await first.changes(), []);
    await assertInvalid(shop.client, before);
    await assertInvalid(shop.client, second.token);
    await shop.set(4);
    assert.deepEqual(await first.changes(), ['S@__default__=4']);
    await assertInvalid(shop.client, second.token);
  });

  it('is invalid in the middle of a page whose record was dropped, also while nothing else changes', async () => {
    const shop = await newShop();
    await shop.set(1);
    const begin = await shop.token();
    await shop.set(2);
    const half = new FollowedStock(shop.client, { token: begin, query: 'per_page=1' });
    await newSimple(shop.client, 'T').then(({ tu_id }) => adjusted(shop.client, tu_id, { quantity: 1 }));
    assert.equal((await half.page()).hasMore, true);
    await apps.sql('delete from stock_changes where brand_id = $1', [shop.brandId]);
    await assertInvalid(shop.client, half.token);
  });

  it('is valid in another incarnation of the database, such as a copy, until its history departs', async () => {
    const shop = await newShop();
    await shop.set(1);
    const before = await shop.token();
    await shop.set(2);
    const latest = await shop.token();
    const copy = await createTestApps({ copyOf: apps });
    const copied = copy.clientWith(shop.apiKey);
    assert.deepEqual(await new FollowedStock(copied, { token: before }).changes(), ['S@__default__=2']);
    assert.deepEqual(await new FollowedStock(copied, { token: latest }).changes(), []);
    await shop.set(3);
    const after = await shop.token();
    await assertInvalid(copied, after);
    for (const quantity of [30, 31]) {
      await adjusted(copied, shop.tuId, { quantity });
      await assertInvalid(copied, after);
      assert.deepEqual(await new FollowedStock(copied, { token: latest }).changes(), [
        `S@__default__=${quantity}`,
      ]);
    }
  });
});

describe('a position in the changes', () => {
  const position: ChangePosition = { version: 7, changedAt: 700, done: null, afterLevel: null };
  const history = { version: 9, changedAt: 900, positionChangedAt: 700, isNextKept: true };

  it('is part of a history that has its version, written at its instant, and everything after it', () => {
    const cases: [boolean, Partial<typeof history>, Partial<ChangePosition>][] = [
      [true, {}, {}],
      [false, { positionChangedAt: 701 }, {}],
      [false, { isNextKept: false }, {}],
      [true, { version: 7, changedAt: 700, isNextKept: false }, {}],
      [false, { version: 7, changedAt: 701 }, {}],
      [false, { version: 6, changedAt: 600 }, {}],
      [true, {}, { done: 3 }],
      [false, { isNextKept: false }, { done: 3 }],
      [false, { version: 7, changedAt: 700, isNextKept: false }, { done: 3 }],
      [false, { positionChangedAt: 701 }, { done: 3 }],
    ];
    for (const [expected, ofHistory, ofPosition] of cases)
      assert.equal(
        hasAllChangesSince({ ...history, ...ofHistory }, { ...position, ...ofPosition }),
        expected,
      );
    assert.equal(hasAllChangesSince({ ...history, positionChangedAt: null as never }, position), true);
  });

  it('comes back from its token, which is the same in every process, for its brand only', () => {
    const seal = (...secrets: [string, ...string[]]) =>
      createSeal({ secrets, purpose: 'brandport changes', nonce: 'derived' });
    const number = fc.maxSafeNat();
    const orNull = fc.option(number);
    fc.assert(
      fc.property(number, number, orNull, orNull, (version, changedAt, done, afterLevel) => {
        const any = { version, changedAt, done, afterLevel };
        const token = sealChangeToken(seal('one'), 7, any);
        assert.equal(token, sealChangeToken(seal('one', 'two'), 7, any));
        assert.deepEqual(positionOfToken(seal('two', 'one'), 7, token), any);
        assert.equal(positionOfToken(seal('one'), 70, token), null);
        assert.equal(positionOfToken(seal('two'), 7, token), null);
        assert.notEqual(token, sealChangeToken(seal('one'), 7, { ...any, version: version + 1 }));
      }),
    );
  });
});
