import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { logLines } from '../../../test/support/log-capture.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { addProducts, reportOf, sendFeed } from '../../catalog/feeds/tests/feeds.ts';

const apps = await createTestApps({ runsJobs: true });
const { client, brandId } = await apps.newBrand();

/** The value of a series, as Prometheus would read it; undefined without the series. */
async function value(series: string): Promise<number | undefined> {
  const { body } = await apps.internalApp.inject('/metrics');
  const line = body.split('\n').find((text) => text.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

const logged = (message: string) =>
  logLines
    .take()
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === message);

describe('the metrics of the service', () => {
  it('show the build', async () => {
    const { body } = await apps.internalApp.inject('/metrics');
    assert.match(
      body,
      /^brandport_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+",role="all"\} 1$/m,
    );
  });

  it('count the keys that expire, without those that are revoked or expired already', async () => {
    const now = Date.now();
    const expiring = async (ms: number) => {
      const expires_at = new Date(now + ms).toISOString();
      return apps.newKey(brandId, undefined, { expires_at });
    };
    const hour = 3_600_000;
    await expiring(2 * hour);
    await expiring(3 * 24 * hour);
    await expiring(20 * 24 * hour);
    await expiring(40 * 24 * hour);
    const { keyId } = await expiring(5 * hour);
    await apps.admin.post(`/keys/${keyId}/revoke`);
    const fresh = await createTestApps({ copyOf: apps });
    const { body } = await fresh.internalApp.inject('/metrics');
    const counts = [...body.matchAll(/^brandport_api_keys_expiring\{within="(\w+)"\} (\d+)$/gm)];
    assert.deepEqual(
      counts.map(([, within, count]) => [within, Number(count)]),
      [
        ['1d', 1],
        ['7d', 2],
        ['30d', 3],
      ],
    );
  });

  it('show size and pools of the databases', async () => {
    for (const database of ['main', 'analytics'])
      assert.ok(Number(await value(`brandport_database_size_bytes{database="${database}"}`)) > 1_000_000);
    assert.equal(await value('brandport_analytics_up'), 1);
    for (const pool of ['reads', 'writes', 'jobs'])
      assert.notEqual(await value(`brandport_analytics_pool_waiting{pool="${pool}"}`), undefined);
    assert.equal(await value('brandport_redis_up'), undefined);
  });

  it('measure feeds as their chunks commit; each has a log line', async () => {
    await addProducts(apps, brandId, ['A']);
    logLines.take();
    const lines = Array.from({ length: 1_500 }, (_, i) => ({
      sku: i === 0 ? 'A' : `X${i}`,
      location_code: 'L',
      quantity: 1,
    }));
    const { json } = await sendFeed(client, lines);
    await reportOf(client, json.feed_id);
    assert.equal(await value('brandport_stock_feed_lines_decided_total'), 1_500);
    // Chunks have at most 1,000 lines, and fewer where they hold the brand's lock for longer.
    assert.ok(Number(await value('brandport_stock_feed_chunk_duration_seconds_count')) >= 2);
    assert.partialDeepStrictEqual(logged('stock feed finished'), [
      { feed_id: json.feed_id, brand_id: brandId, status: 'completed' },
    ]);
    await waitFor(
      'the job’s end',
      async () => (await value('brandport_jobs_total{name="apply-stock-feeds",outcome="completed"}')) !== 0,
    );
    assert.equal(await value('brandport_jobs_total{name="apply-stock-feeds",outcome="failed"}'), 0);
  });

  it('count learning events by result, and measure aggregations; each has a log line', async () => {
    const path = `/brands/${brandId}`;
    await apps.admin.put(`${path}/users`, {
      items: [{ tu_id: 'ann' }, { tu_id: 'out', analytics_opt_out: true }],
    });
    const event = (event_id: string, user: string) => ({
      event_id,
      user,
      kind: 'view',
      content: { type: 'episode', tu_id: 'e1' },
      occurred_at: '2026-01-10T10:00:00Z',
    });
    const items = [
      event('1', 'ann'),
      event('2', 'ann'),
      event('1', 'ann'),
      event('3', 'out'),
      event('4', 'nobody'),
    ];
    const { status, json } = await apps.admin.post(`${path}/events`, { items });
    assert.equal(status, 200, JSON.stringify(json));
    for (const [result, count] of [
      ['accepted', 2],
      ['duplicate', 1],
      ['excluded', 1],
      ['rejected', 1],
    ] as const)
      assert.equal(await value(`brandport_learning_events_total{result="${result}"}`), count, result);

    assert.equal(await value('brandport_dataset_age_seconds'), 0);
    logLines.take();
    const aggregation = await apps.admin.post(`${path}/aggregations`, {
      from: '2026-01-10',
      to: '2026-01-11',
    });
    assert.equal(aggregation.status, 200);
    assert.partialDeepStrictEqual(logged('days aggregated'), [
      { brand_id: brandId, from: '2026-01-10', to: '2026-01-11', days: 2 },
    ]);
    assert.equal(await value('brandport_aggregations_total{outcome="completed"}'), 1);
    assert.equal(await value('brandport_aggregated_days_total'), 2);
    assert.equal(await value('brandport_aggregation_duration_seconds_count'), 1);
    const fresh = await createTestApps({ copyOf: apps });
    const { body } = await fresh.internalApp.inject('/metrics');
    const age = Number(/^brandport_dataset_age_seconds (\S+)$/m.exec(body)?.[1]);
    assert.ok(Math.abs(age - (Date.now() - Date.parse('2026-01-12T00:00:00Z')) / 1_000) < 600, String(age));
  });
});
