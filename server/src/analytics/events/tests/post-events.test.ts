import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createTestApps, testAdminToken } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { admin } = apps;

interface Brand {
  readonly brandId: number;
  readonly path: string;
}

async function newBrand(): Promise<Brand> {
  const { brandId } = await apps.newBrand();
  const path = `/brands/${brandId}`;
  await admin.put(`${path}/markets`, { items: [{ tu_id: 'north' }, { tu_id: 'south' }] });
  await admin.put(`${path}/users`, {
    items: [{ tu_id: 'ann', market: 'north' }, { tu_id: 'ben' }, { tu_id: 'out', analytics_opt_out: true }],
  });
  await admin.put(`${path}/contents`, { items: [{ type: 'episode', tu_id: 'known' }] });
  return { brandId, path };
}

let eventCount = 0;
function event(more: object = {}): Record<string, unknown> {
  eventCount += 1;
  return {
    event_id: `e-${eventCount}`,
    occurred_at: '2026-03-01T10:00:00Z',
    kind: 'view',
    user: 'ann',
    content: { type: 'episode', tu_id: 'known' },
    ...more,
  };
}

function sendJson({ path }: Brand, items: unknown) {
  return admin.post(`${path}/events`, { items });
}

function sendLines({ path }: Brand, lines: string | Buffer) {
  const headers = { 'content-type': 'application/x-ndjson' };
  return admin.request('POST', `${path}/events`, { body: lines, headers });
}

async function stored({ brandId }: Brand) {
  return apps.sql(
    `select event_id, market_id is not null as has_market, to_char(day, 'YYYY-MM-DD') as day
     from analytics.learning_events where brand_id = $1 order by event_id`,
    [brandId],
  );
}

// [internal-34] [internal-37]
test('valid events are stored, and invalid ones are reported by index and do not block others', async () => {
  const brand = await newBrand();
  const items = [
    event({ event_id: 'a' }),
    event({ kind: 'like' }),
    event({ event_id: 'b', user: 'ben', occurred_at: '2026-03-01T23:30:00-02:00' }),
    event({ user: 'nobody' }),
    event({ market: 'nowhere' }),
    event({ user: 'out' }),
    event({ event_id: 'c', user: 'ben', market: 'south' }),
    event({ event_id: 'a' }),
  ];
  const answer = await sendJson(brand, items);
  assert.deepEqual(
    [answer.status, answer.json],
    [
      200,
      {
        accepted: 3,
        duplicates: 1,
        excluded: 1,
        rejected: [
          { index: 1, message: 'kind must be one of view, completion, success, quiz' },
          { index: 3, message: 'user is not in the directory' },
          { index: 4, message: 'market is not in the directory' },
        ],
        rejected_count: 3,
      },
    ],
  );
  assert.deepEqual(await stored(brand), [
    { event_id: 'a', has_market: true, day: '2026-03-01' },
    { event_id: 'b', has_market: false, day: '2026-03-02' },
    { event_id: 'c', has_market: true, day: '2026-03-01' },
  ]);
});

// [internal-35]
test('sending the same batch twice changes nothing, as JSON or as lines', async () => {
  const brand = await newBrand();
  const items = Array.from({ length: 100 }, () => event());
  assert.equal((await sendJson(brand, items)).json.accepted, 100);
  const before = await stored(brand);
  const again = await sendJson(brand, items);
  assert.deepEqual([again.json.accepted, again.json.duplicates], [0, 100]);
  const lines = await sendLines(brand, items.map((item) => JSON.stringify(item)).join('\n'));
  assert.deepEqual([lines.json.accepted, lines.json.duplicates], [0, 100]);
  assert.deepEqual(await stored(brand), before);
});

test('20 clients that send the same events at once store each event once', async () => {
  const brand = await newBrand();
  const items = Array.from({ length: 200 }, () => event());
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => sendJson(brand, i % 2 === 0 ? items : items.toReversed())),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(
    answers.reduce((sum, { json }) => sum + json.accepted, 0),
    200,
  );
  assert.equal((await stored(brand)).length, 200);
});

// [internal-35]
test('event ids are unique per brand, not across brands', async () => {
  const [one, two] = [await newBrand(), await newBrand()];
  const item = event();
  assert.equal((await sendJson(one, [item])).json.accepted, 1);
  assert.equal((await sendJson(two, [item])).json.accepted, 1);
});

// [internal-34]
test('invalid lines and one that is too long are reported by line number, and blank lines count', async () => {
  const brand = await newBrand();
  const long = JSON.stringify(event({ padding: 'x'.repeat(70_000) }));
  const good = JSON.stringify(event());
  const answer = await sendLines(
    brand,
    Buffer.concat([
      Buffer.from(`${good}\r\n\n{"event_id":\n${long}\n`),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from(JSON.stringify(event())),
    ]),
  );
  assert.deepEqual(answer.json, {
    accepted: 2,
    duplicates: 0,
    excluded: 0,
    rejected: [
      { index: 2, message: 'the line is not JSON' },
      { index: 3, message: 'the line is longer than 64 KiB' },
      { index: 4, message: 'the line is not JSON' },
    ],
    rejected_count: 3,
  });
});

// [internal-38]
test('events of a learner are dropped after an opt-out, and accepted again after an opt-in', async () => {
  const brand = await newBrand();
  assert.equal((await sendJson(brand, [event()])).json.accepted, 1);
  await admin.put(`${brand.path}/users`, { items: [{ tu_id: 'ann', analytics_opt_out: true }] });
  const dropped = event({ event_id: 'dropped' });
  assert.equal((await sendJson(brand, [dropped, dropped])).json.excluded, 2);
  await admin.put(`${brand.path}/users`, { items: [{ tu_id: 'ann', analytics_opt_out: false }] });
  assert.equal((await sendJson(brand, [dropped])).json.accepted, 1);
});

// [internal-33]
test('an erasure removes all events of the learner, and their later events are rejected', async () => {
  const brand = await newBrand();
  await sendJson(brand, [event(), event({ event_id: 'bens', user: 'ben' })]);
  assert.equal((await admin.delete(`${brand.path}/users/ann`)).status, 204);
  assert.deepEqual(
    (await stored(brand)).map((row) => row['event_id']),
    ['bens'],
  );
  assert.equal((await sendJson(brand, [event()])).json.rejected[0].message, 'user is not in the directory');
});

test('an erasure during a stream of events removes all of them', async () => {
  const brand = await newBrand();
  for (let round = 0; round < 5; round += 1) {
    await admin.put(`${brand.path}/users`, { items: [{ tu_id: `gone-${round}` }] });
    const sends = Array.from({ length: 10 }, () =>
      sendJson(
        brand,
        Array.from({ length: 20 }, () => event({ user: `gone-${round}` })),
      ),
    );
    const erased = await admin.delete(`${brand.path}/users/gone-${round}`);
    assert.equal(erased.status, 204);
    for (const { status } of await Promise.all(sends)) assert.equal(status, 200);
  }
  assert.deepEqual(await stored(brand), []);
});

// [internal-37]
test('a content known only from events is an orphaned reference until the directory lists it', async () => {
  const brand = await newBrand();
  await sendJson(brand, [event({ content: { type: 'live_session', tu_id: 'x' } })]);
  const contents = await admin.get(`${brand.path}/contents`);
  assert.deepEqual(
    contents.json.data.map(({ tu_id }: { tu_id: string }) => tu_id),
    ['known'],
  );
  await sendJson(brand, [event({ content: { type: 'quest', tu_id: 'later' } })]);
  await admin.put(`${brand.path}/contents`, { items: [{ type: 'quest', tu_id: 'later' }] });
  const ids = await apps.sql(
    `select distinct c.is_listed from contents c
     join analytics.learning_events e on e.brand_id = c.brand_id and e.content_ref_id = c.id
     where c.brand_id = $1 and c.tu_id = 'later'`,
    [brand.brandId],
  );
  assert.deepEqual(ids, [{ is_listed: true }]);
});

const wrongBodies: [string, unknown, string, number, string | null][] = [
  ['no JSON', '{"items":[', 'application/json', 422, 'body'],
  ['an array', '[]', 'application/json', 422, 'body'],
  ['no items', '{}', 'application/json', 422, 'items'],
  ['items that are no array', '{"items":{}}', 'application/json', 422, 'items'],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json', 422, 'body'],
  ['plain text', 'hello', 'text/plain', 415, null],
];
for (const [what, body, contentType, status, field] of wrongBodies)
  test(`a body that is ${what} is ${status}`, async () => {
    const brand = await newBrand();
    const headers = { 'content-type': contentType };
    const answer = await admin.request('POST', `${brand.path}/events`, { body, headers });
    assert.equal(answer.status, status, answer.text);
    if (field !== null) assert.deepEqual(Object.keys(answer.json.errors), [field]);
  });

test('the response to an empty list or stream has only zeros', async () => {
  const brand = await newBrand();
  const zeros = { accepted: 0, duplicates: 0, excluded: 0, rejected: [], rejected_count: 0 };
  assert.deepEqual((await sendJson(brand, [])).json, zeros);
  assert.deepEqual((await sendLines(brand, '')).json, zeros);
});

test('a large JSON body is parsed off the main thread and stored whole', async () => {
  const brand = await newBrand();
  const items = Array.from({ length: 10_000 }, () => event({ padding: 'ü'.repeat(60) }));
  const answer = await sendJson(brand, [...items, { nothing: true }]);
  assert.deepEqual([answer.json.accepted, answer.json.rejected_count], [10_000, 1]);
  assert.equal(answer.json.rejected[0].index, 10_000);
});

test('an unknown brand is 404, and the admin token is required', async () => {
  assert.equal((await admin.post('/brands/999999/events', { items: [] })).status, 404);
  const denied = await apps.internalApp.inject({ method: 'POST', url: '/internal/v1/brands/1/events' });
  assert.equal(denied.statusCode, 401);
});

test('a long stream is stored as it arrives: events are stored before the client has finished', async () => {
  const brand = await newBrand();
  await apps.internalApp.listen({ host: '127.0.0.1', port: 0 });
  const { port } = apps.internalApp.server.address() as AddressInfo;
  const sender = request({
    port,
    method: 'POST',
    path: `/internal/v1${brand.path}/events`,
    headers: { authorization: `Bearer ${testAdminToken}`, 'content-type': 'application/x-ndjson' },
  });
  const responded = once(sender, 'response') as Promise<[IncomingMessage]>;
  const write = async (count: number) => {
    for (let i = 0; i < count; i += 1)
      if (!sender.write(`${JSON.stringify(event())}\n`)) await once(sender, 'drain');
  };
  await write(5_000);
  const deadline = Date.now() + 20_000;
  while ((await stored(brand)).length < 2_000)
    assert.ok(Date.now() < deadline, 'nothing was stored while the stream was open');
  await write(5_000);
  sender.end();
  const [response] = await responded;
  const result = JSON.parse((await response.toArray()).join(''));
  assert.deepEqual([result.accepted, result.rejected_count], [10_000, 0]);
});

test('a stream whose events cannot be stored is 503, and stored completely when it is sent again', async () => {
  const brand = await newBrand();
  const lines = Array.from({ length: 10_000 }, () => JSON.stringify(event())).join('\n');
  // The first batch is stored, all others fail.
  await apps.sql('create sequence batches');
  await apps.sql(`create function fail_after_first() returns trigger language plpgsql as $$
    begin
      if nextval('batches') > 1 then
        raise sqlstate '53100';
      end if;
      return null;
    end $$`);
  await apps.sql(
    'create trigger fails before insert on analytics.event_claims for each statement execute function fail_after_first()',
  );
  const refused = await sendLines(brand, lines);
  await apps.sql('drop trigger fails on analytics.event_claims');
  assert.deepEqual([refused.status, refused.json.code], [503, 'analytics_unavailable']);
  const before = (await stored(brand)).length;
  assert.equal(before, 2_000);
  const again = await sendLines(brand, lines);
  assert.deepEqual([again.json.accepted, again.json.duplicates], [10_000 - before, before]);
});

test('an aborted request has stored whole batches, and sending it again stores the rest', async () => {
  const brand = await newBrand();
  if (!apps.internalApp.server.listening) await apps.internalApp.listen({ host: '127.0.0.1', port: 0 });
  const { port } = apps.internalApp.server.address() as AddressInfo;
  const lines = Array.from({ length: 6_000 }, () => `${JSON.stringify(event())}\n`);
  const sender = request({
    port,
    method: 'POST',
    path: `/internal/v1${brand.path}/events`,
    headers: { authorization: `Bearer ${testAdminToken}`, 'content-type': 'application/x-ndjson' },
  });
  sender.on('error', () => {});
  sender.write(lines.slice(0, 5_000).join(''));
  const deadline = Date.now() + 20_000;
  while ((await stored(brand)).length < 2_000) assert.ok(Date.now() < deadline, 'nothing was stored');
  sender.destroy();
  const again = await sendLines(brand, lines.join(''));
  assert.equal(again.json.accepted + again.json.duplicates, 6_000);
  assert.ok(again.json.duplicates >= 2_000);
  assert.equal((await stored(brand)).length, 6_000);
});
