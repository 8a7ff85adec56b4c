import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { event, eventSender } from './event-sender.ts';

const apps = await createTestApps();
const { admin } = apps;
const { newBrand, sendJson, sendLines, stored } = eventSender(apps);

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
      { index: 2, message: 'the line is not JSON: unexpected end of the line' },
      { index: 3, message: 'the line is longer than 64 KiB' },
      { index: 4, message: 'the line is not UTF-8' },
    ],
    rejected_count: 3,
  });
});

// [platform-22] [platform-24]
test('lines have three names, and may begin with a byte order mark', async () => {
  const brand = await newBrand();
  const types = [
    'application/x-ndjson',
    'application/ndjson',
    'application/jsonl',
    'Application/NDJSON; charset=utf-8',
  ];
  for (const type of types) {
    const body = `\ufeff${JSON.stringify(event())}\n{"event_id" "x"}\n`;
    const headers = { 'content-type': type };
    const { status, json } = await admin.request('POST', `${brand.path}/events`, { body, headers });
    assert.deepEqual(
      [status, json.accepted, json.rejected],
      [200, 1, [{ index: 1, message: 'the line is not JSON: unexpected "x" at position 13' }]],
      type,
    );
  }
});

// [platform-22]
test('a list that is no JSON is refused with the place of the fault, also a long one', async () => {
  const brand = await newBrand();
  for (const count of [1, 2_000]) {
    const items = Array.from({ length: count }, () => JSON.stringify(event())).join();
    const { json } = await admin.request('POST', `${brand.path}/events`, {
      body: `\ufeff{"items":[${items}],}`,
      headers: { 'content-type': 'application/json' },
    });
    const position = items.length + 12;
    assert.deepEqual(json.errors, { body: [`must be JSON: unexpected "}" at position ${position}`] });
  }
});

// [platform-24]
test('another type is refused with the names of all that are taken', async () => {
  const { path } = await newBrand();
  for (const type of ['text/csv', 'application/json-seq', 'application/x-ndjsonp']) {
    const headers = { 'content-type': type };
    const { status, json } = await admin.request('POST', `${path}/events`, { body: 'a', headers });
    assert.deepEqual(
      [status, json.message],
      [
        415,
        'The body must be application/x-ndjson, application/ndjson, application/jsonl or application/json.',
      ],
    );
  }
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
