import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { aggregateAllBrands } from '../../../../server/src/analytics/aggregation/aggregate-all-brands.ts';
import { newSimple } from '../../../../server/src/catalog/stock/tests/stock.ts';
import { createTestApps } from '../../../../server/test/support/test-apps.ts';
import { waitFor } from '../../../../server/test/support/wait-for.ts';
import { closeBrand, openBrand } from '../close-brand.ts';
import { withCell } from '../move-connection.ts';

const { address, sql, newBrand, admin, context, keyUsage } = await createTestApps();
const cell = { main: address, analytics: null };
const close = (brandId: number) => withCell(cell, (open) => closeBrand(open, brandId));
const open = (brandId: number) => withCell(cell, (opened) => openBrand(opened, brandId, false));

/** Counts what is stored of a brand's requests. */
async function recorded(brandId: number): Promise<{ refusals: number; usage: number } | undefined> {
  const [row] = await sql<{ refusals: number; usage: number }>(
    `select (select count(*)::integer from refusals where brand_id = $1) as refusals,
       (select count(*)::integer from api_key_usage where brand_id = $1) as usage`,
    [brandId],
  );
  return row;
}

describe('a closed brand', () => {
  // [D202]
  it('is refused with 503 to its keys, and no other brand is, until it is open again', async () => {
    const [moving, other] = [await newBrand(), await newBrand()];
    await close(moving.brandId);
    for (const answer of [
      await moving.client.get('/catalog/products'),
      await moving.client.post('/catalog/products', { sku: 'NEW', title: 'New', price: { value: 1 } }),
      await moving.client.get('/analytics/metrics/daily'),
    ]) {
      assert.equal(answer.status, 503);
      assert.equal(answer.headers['retry-after'], '5');
      assert.match(answer.text, /service_unavailable.*being moved/s);
    }
    await newSimple(other.client, 'OTHER');
    await open(moving.brandId);
    await newSimple(moving.client, 'AGAIN');
  });

  it('cannot be changed over the internal surface either', async () => {
    const { brandId, keyId } = await newBrand();
    await close(brandId);
    for (const { status, text, headers } of [
      await admin.patch(`/brands/${brandId}`, { name: 'Renamed' }),
      await admin.post(`/brands/${brandId}/keys`, { name: 'New', scopes: ['catalog.products:read'] }),
      await admin.post(`/keys/${keyId}/revoke`),
    ]) {
      assert.equal(status, 503, text);
      assert.equal(headers['retry-after'], '5');
    }
    assert.equal((await admin.get(`/brands/${brandId}`)).status, 200);
    await open(brandId);
    assert.equal((await admin.patch(`/brands/${brandId}`, { name: 'Renamed' })).status, 200);
  });

  it('does not disturb what is done for all brands', async () => {
    const [moving, other] = [await newBrand(), await newBrand()];
    await moving.client.get('/catalog/products');
    await other.client.get('/catalog/products');
    await moving.client.get('/catalog/products/none');
    await close(moving.brandId);
    // The recorders also write by their timers, so that a part may have been stored before.
    const stored = await recorded(moving.brandId);
    await keyUsage.flush();
    assert.deepEqual(await recorded(moving.brandId), stored);
    assert.equal((await recorded(other.brandId))?.usage, 1);
    await aggregateAllBrands(context);
    const purged = await sql('delete from idempotency_records where brand_id = $1 returning 1', [
      moving.brandId,
    ]);
    assert.deepEqual(purged, []);
    await open(moving.brandId);
  });

  it('waits for the transactions that have changed it, and refuses those that have not', async () => {
    const { brandId } = await newBrand();
    const rename = (client: pg.Client) =>
      client.query(`update brands set name = 'Late' where id = ${brandId}`);
    const add = (client: pg.Client, code: string) =>
      client.query(
        `insert into stock_locations (brand_id, external_code, name) values (${brandId}, '${code}', 'x')`,
      );
    const [early, late] = [new pg.Client(address), new pg.Client(address)];
    await Promise.all([early.connect(), late.connect()]);
    try {
      await early.query('begin');
      await add(early, 'EARLY');
      await late.query('begin');
      await late.query('select 1');
      let isClosed = false;
      const closing = close(brandId).then(() => {
        isClosed = true;
      });
      await waitFor('the fence on another table', async () => {
        const fenced = await sql('select from pg_trigger where tgname = $1', [`brand_${brandId}_is_closed`]);
        return fenced.length > 0;
      });
      assert.equal(isClosed, false);
      await early.query('commit');
      await closing;
      await assert.rejects(add(late, 'LATE'), (error: pg.DatabaseError) => error.code === '57B01');
      await late.query('rollback');
      await assert.rejects(rename(late), (error: pg.DatabaseError) => error.code === '57B01');
    } finally {
      await Promise.all([early.end(), late.end()]);
    }
    assert.deepEqual(await sql('select external_code from stock_locations where brand_id = $1', [brandId]), [
      { external_code: 'EARLY' },
    ]);
    await open(brandId);
  });

  it('is fenced on every table with rows of brands, in every partition, and on none when it is open', async () => {
    const { brandId } = await newBrand();
    const fenced = () =>
      sql<{ name: string }>(
        `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname in ('public', 'analytics') and c.relkind in ('r', 'p')
           and (c.relname = 'brands' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'brand_id'))
           and (select count(*) from pg_trigger t where t.tgrelid = c.oid and t.tgname like $1) <> $2`,
        [`brand\\_${brandId}\\_is\\_closed%`, 2],
      );
    await close(brandId);
    await close(brandId);
    assert.deepEqual(await fenced(), []);
    // On a table that the fence does not know, as another version may have left one.
    await sql(`create trigger brand_${brandId}_is_closed before insert on write_probe
      for each row execute function refuse_change_of_closed_brand('${brandId}', 'write_probe')`);
    await open(brandId);
    const left = await sql('select from pg_trigger where tgname like $1', [
      `brand\\_${brandId}\\_is\\_closed%`,
    ]);
    assert.deepEqual(left, []);
  });
});
