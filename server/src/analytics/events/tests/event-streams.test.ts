// processes: sends streams of more than 64 MiB
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createTestApps, testAdminToken } from '../../../../test/support/test-apps.ts';
import { type EventBrand, event, eventSender } from './event-sender.ts';

const apps = await createTestApps();
const { newBrand, sendLines, stored } = eventSender(apps);
await apps.internalApp.listen({ host: '127.0.0.1', port: 0 });

/** Opens a stream of events, to be written by the test. */
function openStream({ path }: EventBrand): ClientRequest {
  const { port } = apps.internalApp.server.address() as AddressInfo;
  return request({
    port,
    method: 'POST',
    path: `/internal/v1${path}/events`,
    headers: { authorization: `Bearer ${testAdminToken}`, 'content-type': 'application/x-ndjson' },
  });
}

test('a long stream is stored as it arrives: events are stored before the client has finished', async () => {
  const brand = await newBrand();
  const sender = openStream(brand);
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
  const lines = Array.from({ length: 6_000 }, () => `${JSON.stringify(event())}\n`);
  const sender = openStream(brand);
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

// [platform-23]
test('a stream over 64 MiB is 413, and its first batches may be stored', async () => {
  const brand = await newBrand();
  const lines = Array.from({ length: 3_000 }, () => `${JSON.stringify(event())}\n`).join('');
  const body = Buffer.concat([Buffer.from(lines), Buffer.alloc(64 * 1024 * 1024, '\n')]);
  const headers = { 'content-type': 'application/x-ndjson' };
  const send = (sent: Buffer, coding?: string) =>
    apps.admin.request('POST', `${brand.path}/events`, {
      body: sent,
      headers: { ...headers, ...(coding !== undefined && { 'content-encoding': coding }) },
    });
  assert.equal((await send(body)).status, 413);
  assert.equal((await stored(brand)).length, 0, 'its declared length is refused before it is read');
  assert.equal((await send(gzipSync(body), 'gzip')).status, 413);
  assert.equal((await stored(brand)).length, 2_000);
  assert.equal((await send(Buffer.from(lines))).json.duplicates, 2_000);
});

// [platform-23]
test('a list over 8 MiB is 413, which names the limit and the way out', async () => {
  const brand = await newBrand();
  const send = (body: Buffer, headers: Record<string, string>) =>
    apps.admin.request('POST', `${brand.path}/events`, {
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const list = Buffer.alloc(8 * 1024 * 1024 + 1, ' ');
  const wayOut = 'Send the events as NDJSON (application/x-ndjson), up to 64 MiB, or in several requests.';
  const plain = await send(list, {});
  assert.equal(plain.status, 413);
  assert.equal(
    plain.json.message,
    `The body is larger than 8 MiB, which this operation takes at most. ${wayOut}`,
  );
  const packed = await send(gzipSync(list), { 'content-encoding': 'gzip' });
  assert.equal(
    packed.json.message,
    `The decoded body is larger than 8 MiB, which this operation takes at most. ${wayOut}`,
  );
});
