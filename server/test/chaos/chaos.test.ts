// nightly: kills three api and two worker processes behind HAProxy, ten times under load
import assert from 'node:assert/strict';
import process from 'node:process';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, dayOf } from '../../src/analytics/day.ts';
import { scopes } from '../../src/api/access.ts';
import {
  assertFeedsTrue,
  assertTotalsAddUp,
  levelsOf,
  reportOf,
} from '../../src/catalog/feeds/tests/feeds.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { assertDoctorFindsNothing } from '../catalog-model/assert-doctor-finds-nothing.ts';
import { startHaproxy } from '../support/haproxy-server.ts';
import { sendHttp } from '../support/http-client.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { startRedis } from '../support/redis-server.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';
import { CatalogClient } from './catalog-client.ts';
import { EventSender } from './event-sender.ts';
import { Fleet } from './fleet.ts';
import { Random } from './random.ts';

const number = (name: string, fallback: number) => Number(process.env[`BRANDPORT_CHAOS_${name}`] ?? fallback);
const seconds = number('SECONDS', 40);
const kills = number('KILLS', 10);
const seed = number('SEED', Date.now() % 1_000_000);
const limit = 600;
const yesterday = addDays(dayOf(Date.now()), -1);

const haproxy = findSystemProgram('haproxy', 'haproxy');
const redis = await startRedis();
after(() => redis?.stop());

test('processes that are killed at random lose nothing, double nothing and show nothing stale', {
  skip: haproxy === null || redis === null,
}, async (t) => {
  t.diagnostic(`seed ${seed}: ${kills} kills in ${seconds} s`);
  const random = new Random(seed);
  const database = await createTestDatabase();
  const address = database.address as Parameters<typeof databaseUrl>[0];
  const fleet = await Fleet.start(
    { api: 3, worker: 2 },
    {
      DATABASE_URL: databaseUrl(address),
      REDIS_URL: redis?.url,
      BRANDPORT_TRUSTED_PROXIES: '127.0.0.1',
      ...unlimitedCatalog,
      BRANDPORT_LIMIT_ANALYTICS_KEY: String(limit),
      BRANDPORT_LIMIT_ANALYTICS_BRAND: '0',
    },
  );
  const url = await startHaproxy(haproxy ?? '', fleet.apiPorts);
  // Asked for each time: a process that was replaced has another internal address.
  const admin = () => fleet.apis[0]?.admin ?? assert.fail();
  const outcomes = { requests: 0, retries: 0 };

  const clients: CatalogClient[] = [];
  const brandIds: number[] = [];
  const keyOf = async (brandId: number) =>
    (await ok(admin().post(`/brands/${brandId}/keys`, { name: 'Chaos', scopes }), 201)).api_key as string;
  for (let brand = 0; brand < 2; brand += 1) {
    const { id } = await ok(admin().post('/brands', { name: `Chaos ${brand}` }), 201);
    brandIds.push(id);
    const catalog = fleet.apis[0]?.clientWith(await keyOf(id)) ?? assert.fail();
    const walked = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const sku = `WALK-${String(at).padStart(3, '0')}`;
        const { tu_id } = await ok(catalog.create('/catalog/products', { sku, is_active: true }), 201);
        return { sku, tu_id: tu_id as string };
      }),
    );
    for (const letter of ['a', 'b']) {
      const keys = [await keyOf(id), await keyOf(id)] as const;
      clients.push(new CatalogClient({ name: `${letter}${brand}`, url, keys, random, outcomes, walked }));
    }
  }
  const [brandId = 0] = brandIds;
  await ok(admin().put(`/brands/${brandId}/users`, { items: [{ tu_id: 'u' }] }));
  const events = new EventSender(brandId, yesterday, { apis: () => fleet.apis, random, outcomes });
  for (const client of clients) await client.start();

  // A night in which no worker ran: exactly one run makes up for it.
  await waitFor(
    'the first look at the schedule',
    async () => (await database.sql('select 1 from pgboss.version where cron_on is not null')).length > 0,
    60_000,
  );
  const nights = async () =>
    (
      await database.sql<{ state: string }>(
        `select state::text from pgboss.job where name = 'aggregate-days'`,
      )
    ).map(({ state }) => state);
  const nightsBefore = (await nights()).length;
  await database.sql(`update pgboss.schedule set created_on = created_on - interval '3 days'`);
  await database.sql(`update pgboss.version set cron_on = now() - interval '25 hours'`);

  let isOver = false;
  const loads = [...clients, events].map(async (client) => {
    while (!isOver) await client.step();
  });
  const load = Promise.all(loads);
  load.catch(() => {}); // reported where it is awaited
  const replacing: Promise<void>[] = [];
  const end = performance.now() + seconds * 1_000;
  let mostConnections = 0;
  while (fleet.kills < kills) {
    const [open] = await database.sql<{ count: number }>(
      'select count(*)::integer as count from pg_stat_activity where datname = current_database()',
    );
    mostConnections = Math.max(mostConnections, open?.count ?? 0);
    const pause = ((end - performance.now()) / (kills - fleet.kills)) * (0.5 + random.next() / 2);
    await Promise.race([load, sleep(Math.max(pause, 100))]);
    // One API process and one worker survive, and no more start than the machine has cores.
    if (fleet.members.filter(({ server }) => server === null).length > 1) continue;
    const running = (role: string) => fleet.members.filter((one) => one.role === role && one.server !== null);
    const victims = ['api', 'worker'].flatMap((role) => (running(role).length > 1 ? running(role) : []));
    if (victims.length > 0) replacing.push(fleet.killAndReplace(random.pick(victims)));
  }
  await Promise.race([load, Promise.all(replacing)]);
  if (performance.now() < end) await Promise.race([load, sleep(end - performance.now())]);
  isOver = true;
  await load;
  assert.equal(fleet.kills, kills);

  // Nothing acknowledged is lost, nothing is there twice.
  const urls = fleet.apis.map(({ clientUrl }) => clientUrl);
  let replayed = 0;
  for (const client of clients) replayed += await client.replay(urls, 150);
  const stored = await database.sql<{ sku: string }>(
    `select sku from products where sku not like 'WALK-%' order by sku collate "C"`,
  );
  assert.deepEqual(
    stored.map(({ sku }) => sku),
    clients.flatMap(({ skus }) => skus).sort(),
  );

  // Feeds are exact.
  for (const [at, client] of clients.entries()) {
    const brand = brandIds[Math.floor(at / 2)] ?? 0;
    const reader = (fleet.apis[at % fleet.apis.length] ?? assert.fail()).clientWith(await keyOf(brand));
    for (const feedId of client.feeds) {
      const report = await reportOf(reader, feedId, 120_000);
      assert.equal(report.status, 'completed', report.message);
      assertTotalsAddUp(report.totals);
    }
    const levels = await levelsOf(database, brand);
    if (client.fedQuantity !== null)
      assert.equal(levels.get(`${client.fedSku}@__default__`)?.quantity, client.fedQuantity);
  }
  await assertFeedsTrue(database);

  // The night ran once, and the day has all events.
  await waitFor(
    'the nightly run',
    async () => {
      // The heartbeat of a killed worker stops, which is noticed after a minute.
      await database.sql(
        `update pgboss.job set state = 'retry', start_after = now()
         where name = 'aggregate-days' and state = 'active' and started_on < now() - interval '20 seconds'`,
      );
      return (await nights()).includes('completed');
    },
    90_000,
  );
  assert.equal((await nights()).length - nightsBefore, 1);
  await ok(admin().post(`/brands/${brandId}/aggregations`, { from: yesterday, to: yesterday }));
  const reader = (fleet.apis[0] ?? assert.fail()).clientWith(await keyOf(brandId));
  const daily = await ok(reader.get(`/analytics/metrics/daily?from=${yesterday}&to=${yesterday}`));
  assert.equal(daily.data[0].cumulative.views, events.acknowledged);

  // Limits are exact across processes.
  const headers = { authorization: `Bearer ${await keyOf(brandId)}` };
  const statuses = await Promise.all(
    Array.from({ length: 1_500 }, async (_, at) => {
      const response = await sendHttp(`${urls[at % urls.length]}/v1/client/analytics/status`, { headers });
      return response.status;
    }),
  );
  const count = (status: number) => statuses.filter((one) => one === status).length;
  assert.deepEqual([count(200), count(429)], [limit, 1_500 - limit], fleet.alarms().join('\n'));

  const sum = (of: (client: CatalogClient) => number) => clients.reduce((total, one) => total + of(one), 0);
  t.diagnostic(
    `${outcomes.requests} requests, ${outcomes.retries} retries; ${stored.length} products, ${replayed} replays, ` +
      `${sum(({ feeds }) => feeds.length)} feeds, ${events.acknowledged} events, ${sum(({ walks }) => walks)} walks, ` +
      `${sum(({ notModified }) => notModified)} times 304; at most ` +
      `${mostConnections} connections to the database`,
  );
  assert.deepEqual(fleet.alarms(), []);
  assert.deepEqual(new Set(await fleet.stop()), new Set([0]));
  await assertDoctorFindsNothing(address);
});
