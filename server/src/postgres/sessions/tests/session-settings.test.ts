import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertDoctorFindsNothing } from '../../../../test/catalog-model/assert-doctor-finds-nothing.ts';
import { createDatabase, runSql } from '../../../../test/support/fresh-database.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { addDays, yesterdayOf } from '../../../analytics/day.ts';
import { newSeededBrand } from '../../../analytics/tests/seed.ts';
import { startQueue } from '../../../backup/tests/backup-run.ts';
import { reportOf, sendFeed } from '../../../catalog/feeds/tests/feeds.ts';
import { ok } from '../../../catalog/tests/new-axes.ts';
import { connectionOptions } from '../../connection-options.ts';
import { migrate } from '../../schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../schema/schema-files.ts';
import { openConnection } from '../session-client.ts';

/** Each setting the wrong way, as a database may give it to its sessions. */
const wrong = {
  timezone: "'Pacific/Apia'",
  datestyle: "'SQL, DMY'",
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  array_nulls: 'off',
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  gin_fuzzy_search_limit: '1',
  search_path: 'other, pg_catalog',
  row_security: 'on',
  default_transaction_read_only: 'on',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  exit_on_error: 'on',
  client_encoding: 'latin1',
};

// [D184]
describe('a database whose settings change what is read and written', async () => {
  const apps = await createTestApps({ databaseSettings: wrong, runsJobs: true });
  const seeded = await newSeededBrand(apps, { markets: ['m'] });
  const { client, brandId } = seeded;

  it('gives them to other sessions', async () => {
    const shown = await runSql(
      apps.address,
      "select '2026-03-01'::date::text as day, '{null}'::text[] as list",
    );
    assert.deepEqual(shown, [{ day: '01/03/2026', list: ['null'] }]);
  });

  it('stores and returns products, stock and their times', async () => {
    const title = 'Żółw \\ “é”';
    const made = await ok(
      client.create('/catalog/products', { sku: 'A', title, price_value: 1234567.1234 }),
      201,
    );
    const read = await ok(client.get(`/catalog/products/${made.tu_id}`));
    assert.deepEqual([read.title, read.price_value], [title, made.price_value]);
    assert.match(read.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(Math.abs(Date.parse(read.created_at) - Date.now()) < 600_000);
    for (const external_code of ['L', 'M'])
      await ok(client.post('/catalog/stock/locations', { external_code }), 201);
    const updated = '2026-02-03T04:05:06.789Z';
    const lines = [
      { sku: 'A', location_code: 'L', quantity: 7, updated_at: updated },
      { sku: 'A', location_code: 'M', quantity: 2 },
      { sku: 'missing', location_code: 'L', quantity: 7 },
    ];
    const sent = await ok(sendFeed(client, lines), 202);
    const report = await reportOf(client, sent.feed_id);
    assert.deepEqual(report.lines.data.map(({ result }: { result: string }) => result).toSorted(), [
      'applied',
      'applied',
      'unknown_sku',
    ]);
    const { data } = await ok(client.get('/catalog/stock/levels?sku=A'));
    const level = data.find(({ location }: { location: string }) => location === 'L');
    assert.deepEqual([level.quantity, Date.parse(level.source_updated_at)], [7, Date.parse(updated)]);
    const listed = await ok(apps.admin.get(`/feeds?brand_id=${brandId}`));
    assert.equal(listed.data.length, 1);
  });

  it('takes events, aggregates them in a job and serves the days', async () => {
    const yesterday = yesterdayOf(apps.clock.now());
    const from = addDays(yesterday, -40);
    await seeded.send([{ day: from }, { day: yesterday }]);
    const { job_id } = await ok(
      apps.admin.post(`/brands/${brandId}/aggregations`, { from, to: yesterday }),
      202,
    );
    await waitFor('the job to be done', async () => {
      const { json } = await apps.admin.get(`/jobs/${job_id}`);
      assert.notEqual(json.state, 'failed', JSON.stringify(json));
      return json.state === 'completed';
    });
    const { data } = await ok(client.get(`/analytics/metrics/daily?from=${from}&per_page=200`));
    assert.deepEqual([data[0].date, data.at(-1).date, data.at(-1).cumulative.views], [from, yesterday, 2]);
    assert.ok((await ok(apps.admin.get(`/audit?brand_id=${brandId}`))).data.length > 0);
    await assertDoctorFindsNothing(apps.address);
  });

  it('is migrated, and gets the schema of the job queue', async () => {
    const address = await createDatabase();
    for (const [name, value] of Object.entries(wrong))
      await runSql(
        address,
        `begin read write; alter database ${address.database} set ${name} = ${value}; commit`,
      );
    for (const line of [mainSchema, analyticsSchema]) {
      assert.ok((await migrate(address, line)).length > 0);
      assert.deepEqual(await migrate(address, line), []);
    }
    await startQueue(address);
    const client = await openConnection(connectionOptions(address, 'brandport-test'));
    const { rows } = await client.query(
      "select to_regclass('public.brands')::text as table, '{null}'::text[] as list",
    );
    await client.end();
    assert.deepEqual(rows, [{ table: 'brands', list: [null] }]);
  });
});
