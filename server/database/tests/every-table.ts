import assert from 'node:assert/strict';
import { scopes } from '../../src/api/access.ts';
import { applyFeed } from '../../src/catalog/feeds/tests/feeds.ts';
import { adjusted, newLocation, newSimple } from '../../src/catalog/stock/tests/stock.ts';
import { newAxes, newParent, newVariant, ok } from '../../src/catalog/tests/new-axes.ts';
import type { ApiClient } from '../../test/support/api-client.ts';
import { runSql } from '../../test/support/fresh-database.ts';
import { sendHttp } from '../../test/support/http-client.ts';
import { processAdminToken, type ServerProcess } from '../../test/support/server-process.ts';

/** Writes a few rows to every table of both schemas, through the API of a server where it can write them. */
export async function fillThroughApi(server: ServerProcess): Promise<void> {
  const { admin } = server;
  const brand = await ok(admin.post('/brands', { name: 'Kept', stale_after_hours: 48 }), 201);
  const path = `/brands/${brand.id}`;
  const key = await ok(admin.post(`${path}/keys`, { name: 'First', scopes }), 201);
  const rotated = await ok(admin.post(`/keys/${key.key_id}/rotate`), 201);
  await ok(admin.post(`${path}/keys`, { name: 'Overlap', scopes, replaces_key_id: rotated.key_id }), 201);
  await ok(admin.post(`${path}/feed-tokens`, { name: 'ERP' }), 201);
  await ok(admin.post('/administrators', { name: 'Ada', role: 'support', brand_ids: [brand.id] }), 201);
  const signedIn = await sendHttp(`${server.internalUrl}/console/session`, {
    method: 'POST',
    body: { token: processAdminToken },
  });
  assert.equal(signedIn.status, 204);
  await fillCatalog(server.clientWith(rotated.api_key));
  await fillDirectory(admin, path);
  await fillAnalytics(admin, path);
}

async function fillCatalog(client: ApiClient): Promise<void> {
  await newLocation(client, 'WH');
  await newLocation(client, 'CLOSED', { is_active: false });
  const simple = await newSimple(client, 'SIMPLE');
  const versions = { de: { title: 'Größe „M“' }, ja: { title: '靴' } };
  await ok(client.patch(`/catalog/products/${simple.tu_id}`, { is_active: true, title: "It's", versions }));
  await adjusted(client, simple.tu_id, { location: 'WH', quantity: 5, note: 'a\nb\\c' });
  await adjusted(client, simple.tu_id, { location: 'WH', quantity: 3 });
  await adjusted(client, simple.tu_id, { location: 'CLOSED', quantity: 9 });
  await newAxes(client, { size: ['s', 'm', 'l'] });
  const parent = await newParent(client, { size: ['s', 'm', 'l'] }, { sku: 'PARENT' });
  await newVariant(client, parent.tu_id, {
    sku: 'PARENT-S',
    axis_values: { size: 's' },
    is_active: true,
    price: { value: 12.5 },
  });
  const variant = await newVariant(client, parent.tu_id, {
    sku: 'PARENT-M',
    axis_values: { size: 'm' },
    is_active: true,
  });
  const deleted = await newVariant(client, parent.tu_id, { sku: 'PARENT-L', axis_values: { size: 'l' } });
  await adjusted(client, parent.tu_id, { variant: variant.tu_id, quantity: 4 });
  await adjusted(client, parent.tu_id, { variant: deleted.tu_id, quantity: 6 });
  await ok(client.delete(`/catalog/variants/${deleted.tu_id}`), 204);
  const results = await applyFeed(client, [
    { sku: 'PARENT-S', location_code: 'WH', quantity: 7, reserved: 2 },
    { sku: 'PARENT-S', location_code: 'WH', quantity: 1, updated_at: '2020-01-01T00:00:00Z' },
    { sku: 'NONE', location_code: 'WH', quantity: 1 },
  ]);
  assert.deepEqual(results, ['applied', 'superseded', 'unknown_sku']);
}

async function fillDirectory(admin: ApiClient, path: string): Promise<void> {
  await ok(admin.put(`${path}/markets`, { items: [{ tu_id: 'north', name: 'North' }, { tu_id: 'south' }] }));
  await ok(admin.put(`${path}/pos`, { items: [{ tu_id: 'shop', name: 'Shop', location: 'WH' }] }));
  const users = [
    { tu_id: 'ann', market: 'north' },
    { tu_id: 'ben' },
    { tu_id: 'out', analytics_opt_out: true },
  ];
  await ok(admin.put(`${path}/users`, { items: users }));
  const contents = [
    { type: 'episode', tu_id: 'one', name: 'One' },
    { type: 'quest', tu_id: 'two', is_live: false },
  ];
  await ok(admin.put(`${path}/contents`, { items: contents }));
}

async function fillAnalytics(admin: ApiClient, path: string): Promise<void> {
  const days = [40, 39, 1].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10));
  const items = days.flatMap((day, index) =>
    ['ann', 'ben'].map((user) => ({
      event_id: `${user}-${index}`,
      occurred_at: `${day}T10:00:00Z`,
      kind: index === 0 ? 'completion' : 'view',
      user,
      content: { type: 'episode', tu_id: index === 1 ? 'gone' : 'one' },
      time_spent_seconds: 60,
    })),
  );
  const { rejected } = await ok(admin.post(`${path}/events`, { items }));
  assert.deepEqual(rejected, []);
  // The last day stays dirty.
  await ok(admin.post(`${path}/aggregations`, { from: days[0], to: days[1] }));
}

/** Inserts rows that no request leaves in the database. The server must be stopped: it would delete some of them. */
export async function fillBySql(address: Parameters<typeof runSql>[0]): Promise<void> {
  await runSql(
    address,
    `insert into learner_returns (brand_id, learner_id)
       select brand_id, id from learners where tu_id = 'ben';
     insert into directory_changes (brand_id, kind, subject_id)
       select brand_id, 'learner', id from learners where tu_id = 'ben';
     insert into directory_versions (brand_id, version) select id, 3 from brands on conflict do nothing;
     insert into write_probe (filler) values ('full once');
     insert into retention_runs (policy, dropped_rows, held_back_by) values ('events', 3, '2020-01-01');
     insert into muted_concerns (id, actor) values ('keys_unused.0123456789abcdef', 'admin-token');
     insert into console_sign_ins (state_sha256, browser_sha256, return_to, expires_at)
       values (sha256('state'), sha256('cookie'), 'audit?actor=admin-token', '2026-03-01T08:40:00Z');
     insert into refusals (brand_id, id, at, request_id, key_id, operation, method, path, status, code, reason, fields, address,
         count, minute)
       select id, 1, '2026-03-01T08:30:10Z', 'refused-1', 'tuk_00000000000000000000000a', 'getProduct', 'GET', '/v1/client',
         401, 'unauthenticated', 'revoked', '{"größe"}', '203.0.113.7', 3, '2026-03-01T08:30:00Z' from brands;
     insert into unverified_refusals (minute, network, reason, count)
       values ('2026-03-01T08:30:00Z', '2001:db8:0:0::/64', 'wrong_secret', 3);
     update api_keys set own_limits = '{"limits": {"catalog_key_writes": 6000}, "until": "2026-03-01T06:00:00.000Z"}';
     update brands set own_limits = '{"limits": {"catalog_brand": 9000}, "until": null}';
     insert into alerts (concern, kind, at, details, created_at, attempts, next_attempt_at)
       values ('doctor_found/größe', 'doctor_found', '2026-03-01T08:30:00Z', '{"differences": 3}', '2026-03-01T08:31:00Z', 2,
         '2026-03-01T08:35:00Z');
     select analytics.drop_events_before('2020-01-01');
     insert into analytics.clickhouse_store (store_id, has_events, sealed_before)
       values ('00000000-0000-4000-8000-000000000001', false, 7);
     insert into analytics.revision_floor (revision) values (1772323200000);
     insert into analytics.event_batches (brand_id, day, batch) select id, '2026-01-01', 9007199254740991 from brands;
     insert into analytics.published_generations (brand_id, dataset, day, generation)
       select id, 'users', '2026-01-01', 8 from brands;
     insert into analytics.unpublished_generations (brand_id, generation, from_day, to_day, since)
       select id, 6, '2026-01-01', '2026-01-02', now() from brands;
     insert into analytics.hidden_learners (brand_id, user_id, before, since) select id, 5, 9, now() from brands`,
  );
}
