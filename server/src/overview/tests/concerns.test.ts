import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newAdministrator } from '../../access/administrators/tests/new-administrator.ts';
import { yesterdayOf } from '../../analytics/day.ts';
import { newSeededBrand } from '../../analytics/tests/seed.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps();
const { admin, clock, newBrand, sql } = apps;

interface Shown {
  readonly id: string;
  readonly kind: string;
  readonly count: number;
  readonly brands: readonly { readonly id: number; readonly name: string; readonly count: number }[];
  readonly brands_total: number;
  readonly muted: boolean;
}

const concerns = async (by = admin): Promise<Shown[]> => (await ok(by.get('/overview'))).concerns;
const concern = async (kind: string, by = admin) => (await concerns(by)).find((one) => one.kind === kind);

/** Stores a feed that has ended, with open lines of an unknown SKU. */
async function addFeed(brandId: number, batch: string, unknown: number): Promise<void> {
  await sql(
    `with feed as (
       insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals,
         received_at, finished_at)
       values ($1, $2, $2, '', 'test', 'completed', $3, $3, jsonb_build_object('unknown_sku', $3::integer), now(), now())
       returning id
     )
     insert into open_feed_lines (brand_id, sku, location_code, feed_id, line, updated_at)
     select $1, $2 || n, 'L', id, n, now() from feed, generate_series(1, $3) n`,
    [brandId, batch, unknown],
  );
}

// [internal-205]
describe('the concerns of the overview', () => {
  it('name the brands with their counts, the largest first, and keep their id while they are the same', async () => {
    const [one, two] = [await newBrand({ name: 'Luma' }), await newBrand({ name: 'Aurore' })];
    await addFeed(one.brandId, 'a', 3);
    await addFeed(two.brandId, 'b', 40);
    const first = await concern('lines_failed');
    assert.deepEqual(first?.brands, [
      { id: two.brandId, name: 'Aurore', count: 40 },
      { id: one.brandId, name: 'Luma', count: 3 },
    ]);
    assert.deepEqual([first.count, first.brands_total, first.muted], [43, 2, false]);
    assert.equal((await concern('lines_failed'))?.id, first.id);
    const { client } = await newAdministrator(apps, 'operator', [one.brandId]);
    const own = await concern('lines_failed', client);
    assert.deepEqual([own?.count, own?.brands.length], [3, 1]);
    await addFeed(one.brandId, 'c', 1);
    assert.notEqual((await concern('lines_failed'))?.id, first.id);
  });

  it('are of all kinds', async () => {
    const brand = await newSeededBrand(apps, { users: ['a'] });
    const { brandId, keyId } = brand;
    const day = yesterdayOf(clock.now());
    await brand.send([{ day, user: 'a', content: 'c' }]);
    await brand.aggregate({ from: day, to: day });
    await brand.send([{ day, user: 'a', content: 'd' }]);
    await brand.client.get('/catalog/products/none');
    await apps.keyUsage.flush();
    await sql('update api_key_usage set requests = requests + 5, denied = 5 where brand_id = $1', [brandId]);
    await ok(
      admin.post(`/brands/${brandId}/keys`, {
        name: 'next',
        scopes: ['catalog.stock:read'],
        replaces_key_id: keyId,
        expires_at: new Date(clock.now() + 86_400_000).toISOString(),
      }),
      201,
    );
    await sql(
      `update api_keys set created_at = now() - interval '100 days', last_used_at = null where brand_id = $1 and key_id = $2`,
      [brandId, keyId],
    );
    await sql(
      `insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, received_at, finished_at)
       values ($1, 'x', 'x', '', 'test', 'failed', 1, now(), now()),
         ($1, 'y', 'y', '', 'test', 'queued', 1, now() - interval '16 minutes', null)`,
      [brandId],
    );
    const found = (await concerns()).filter(({ brands }) => brands.some(({ id }) => id === brandId));
    assert.deepEqual(
      found.map(({ kind }) => kind),
      [
        'feeds_failed',
        'feeds_waiting',
        'late_events',
        'keys_expiring',
        'requests_refused',
        'requests_denied',
        'keys_overlapping',
        'keys_unused',
      ],
    );
  });

  it('are muted until they change, or until a time', async () => {
    const { brandId } = await newBrand();
    await addFeed(brandId, 'mute', 1);
    const { id } = (await concern('lines_failed')) as Shown;
    const path = `/concerns/${id}/mute`;
    assert.equal((await admin.put(path)).status, 204);
    assert.equal((await concern('lines_failed'))?.muted, true);
    const { client } = await newAdministrator(apps, 'support', null);
    assert.equal((await client.put(path)).status, 403);
    assert.equal((await admin.delete(path)).status, 204);
    assert.equal((await admin.delete(path)).status, 204);
    assert.equal((await concern('lines_failed'))?.muted, false);
    const until = new Date(clock.now() + 60_000).toISOString();
    assert.equal((await admin.put(path, { until })).status, 204);
    assert.equal((await concern('lines_failed'))?.muted, true);
    clock.advance(61_000);
    assert.equal((await concern('lines_failed'))?.muted, false);
    await admin.put(path);
    await addFeed(brandId, 'mute again', 1);
    const changed = await concern('lines_failed');
    assert.deepEqual([changed?.muted, changed?.id === id], [false, false]);
    const { data } = await ok(admin.get(`/audit?resource_type=concern&resource_id=${id}`));
    assert.deepEqual(
      data.map(({ action }: { action: string }) => action),
      ['concern.mute', 'concern.mute', 'concern.unmute', 'concern.mute'],
    );
  });

  it('count refused and denied requests as the list of brands does', async () => {
    const { brandId, client } = await newBrand();
    await client.get('/catalog/products/none');
    await apps.keyUsage.flush();
    // What is kept of refusals is bounded; usage counts all.
    await sql(
      `update api_key_usage set requests = requests + 45, refused = refused + 40, denied = 5 where brand_id = $1`,
      [brandId],
    );
    const listed = (await ok(admin.get(`/brands?q=${brandId}&per_page=200`))).data.find(
      ({ id }: { id: number }) => id === brandId,
    );
    const countOf = async (kind: string) =>
      (await concern(kind))?.brands.find(({ id }) => id === brandId)?.count;
    assert.deepEqual([listed.refused_24h, listed.denied_24h], [41, 5]);
    assert.deepEqual([await countOf('requests_refused'), await countOf('requests_denied')], [41, 5]);
  });

  // [internal-211]
  it('stay muted until a time while more of the same fails, and come back when another brand fails', async () => {
    const [one, two] = [await newBrand(), await newBrand()];
    const { client } = await newAdministrator(apps, 'operator', [one.brandId, two.brandId]);
    await addFeed(one.brandId, 'day 1', 1);
    await addFeed(two.brandId, 'day 1', 1);
    const { id } = (await concern('lines_failed', client)) as Shown;
    const until = new Date(clock.now() + 60_000).toISOString();
    assert.equal((await client.put(`/concerns/${id}/mute`, { until })).status, 204);
    await addFeed(one.brandId, 'day 2', 5);
    const later = await concern('lines_failed', client);
    assert.deepEqual([later?.count, later?.muted, later?.id === id], [7, true, false]);
    await sql('delete from open_feed_lines where brand_id = $1', [two.brandId]);
    assert.equal((await concern('lines_failed', client))?.muted, true, 'what is left of them');
    assert.equal(
      (await client.delete(`/concerns/${(await concern('lines_failed', client))?.id}/mute`)).status,
      204,
    );
    assert.equal((await concern('lines_failed', client))?.muted, false);
    await client.put(`/concerns/${(await concern('lines_failed', client))?.id}/mute`, { until });
    await addFeed(two.brandId, 'day 3', 1);
    await sql('delete from muted_concerns where muted_until is null');
    await client.delete(`/concerns/${(await concern('lines_failed', client))?.id}/mute`);
    await client.put(`/concerns/${(await concern('lines_failed', client))?.id}/mute`, { until });
    const third = await newBrand();
    const { client: wider } = await newAdministrator(apps, 'operator', [
      one.brandId,
      two.brandId,
      third.brandId,
    ]);
    assert.equal((await concern('lines_failed', wider))?.muted, true);
    await addFeed(third.brandId, 'day 3', 1);
    assert.equal((await concern('lines_failed', wider))?.muted, false);
    clock.advance(61_000);
    assert.equal((await concern('lines_failed', client))?.muted, false);
  });

  it('can be muted only by a caller whose overview shows them, and the audit names their brand', async () => {
    const [own, other] = [await newBrand(), await newBrand()];
    await addFeed(own.brandId, 'own', 1);
    await addFeed(other.brandId, 'other', 1);
    const { client } = await newAdministrator(apps, 'operator', [own.brandId]);
    const { client: stranger } = await newAdministrator(apps, 'operator', [other.brandId]);
    const { id } = (await concern('lines_failed', stranger)) as Shown;
    const made = 'lines_failed.0123456789abcdef';
    for (const path of [`/concerns/${id}/mute`, `/concerns/${made}/mute`]) {
      assertRefused(await client.put(path), 'not_found');
      assertRefused(await client.delete(path), 'not_found');
    }
    assert.equal((await concern('lines_failed', stranger))?.muted, false);
    assertRefused(await admin.put(`/concerns/${made}/mute`), 'not_found');
    assert.equal((await stranger.put(`/concerns/${id}/mute`)).status, 204);
    const { data } = await ok(stranger.get(`/audit?resource_type=concern&resource_id=${id}`));
    assert.deepEqual(
      data.map(({ brand_id: brandId }: { brand_id: number }) => brandId),
      [other.brandId],
    );
  });

  it('refuse an id that no concern has, and a time that has passed', async () => {
    for (const id of ['x', 'lines_failed', 'lines_failed.xyz', 'nothing.0123456789abcdef'])
      assertRefused(await admin.put(`/concerns/${id}/mute`), 'not_found');
    const path = '/concerns/lines_failed.0123456789abcdef/mute';
    assertRefused(await admin.put(path, { until: '2020-01-01T00:00:00Z' }), 'validation_failed', ['until']);
  });
});
