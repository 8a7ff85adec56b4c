import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { feed, line, postFeed, storedFeeds } from './feed-posts.ts';
import { feedsPath } from './feeds.ts';

// No worker runs here: the tests check what is stored at the time of the response.
const apps = await createTestApps();
const { client } = await apps.newBrand();

describe('the body of a feed', () => {
  // [catalog-98]
  it('has mode snapshot; delta is 422', async () => {
    for (const mode of ['delta', 'Snapshot', '', undefined, null, 7])
      assertRefused(await postFeed(client, { ...feed, mode }), 'validation_failed', ['mode']);
  });

  it('has a source of 1 to 64 characters', async () => {
    for (const source of [undefined, null, 7, '', 'x'.repeat(65), 'a\u0000', '\ud800'])
      assertRefused(await postFeed(client, { ...feed, source }), 'validation_failed', ['source']);
    for (const source of ['x', '😀'.repeat(64)])
      assert.equal((await postFeed(client, { ...feed, source })).status, 202);
  });

  it('has lines', async () => {
    for (const lines of [undefined, null, {}, 'x', 7, []])
      assertRefused(await postFeed(client, { ...feed, lines }), 'validation_failed', ['lines']);
  });

  // [catalog-99]
  it('with a line of the wrong shape is refused at its index, and nothing is stored', async () => {
    const before = await storedFeeds(apps);
    const wrong: Record<string, readonly unknown[]> = {
      sku: [undefined, null, 7, '', ' A', 'A\n', 'x'.repeat(192), 'a\u0000b', '\ud800', []],
      location_code: [undefined, null, 7, '', ' L', 'x'.repeat(65), 'a\u0000b'],
      quantity: [undefined, null, '1', 1.5, -1, 2_147_483_648, true, []],
      reserved: [null, '1', 1.5, -1, 2_147_483_648],
      updated_at: [null, 7, '', '2026-03-01', '2026-03-01T10:00:00', '2026-02-30T10:00:00Z', 'now'],
    };
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const lines = [line, { ...line, sku: 'B' }, line, { ...line, [field]: value }];
        assertRefused(await postFeed(client, { ...feed, lines }), 'validation_failed', [`lines.3.${field}`]);
      }
    for (const value of [null, 7, 'x', []])
      assertRefused(await postFeed(client, { ...feed, lines: [line, value] }), 'validation_failed', [
        'lines.1',
      ]);
    assert.deepEqual(await storedFeeds(apps), before);
  });

  it('lists at most 100 wrong fields', async () => {
    const { json } = await postFeed(client, { ...feed, lines: Array.from({ length: 250 }, () => ({})) });
    assert.equal(Object.keys(json.errors).length, 100);
  });

  it('is a JSON object', async () => {
    for (const body of ['', '{', '[]', 'null', '7', undefined])
      assertRefused(
        await client.request('POST', feedsPath, {
          ...(body !== undefined && { body }),
          headers: { 'idempotency-key': 'json' },
        }),
        'validation_failed',
        ['body'],
      );
  });

  // [platform-22]
  it('that is no JSON is refused with the place of the fault, also a long one', async () => {
    for (const count of [1, 50_000]) {
      const lines = `${JSON.stringify(line)},`.repeat(count);
      const { json } = await postFeed(client, `\ufeff{"lines":[${lines}]}`);
      const position = lines.length + 10;
      assert.deepEqual(json.errors, { body: [`must be JSON: unexpected "]" at position ${position}`] });
    }
  });

  it('of another content type is 415', async () => {
    for (const type of ['text/plain', 'application/x-ndjson', 'application/jsonp'])
      assertRefused(
        await postFeed(client, JSON.stringify(feed), { 'content-type': type }),
        'unsupported_media_type',
      );
    assert.equal(
      (await postFeed(client, JSON.stringify(feed), { 'content-type': 'Application/JSON; charset=utf-8' }))
        .status,
      202,
    );
  });

  // [catalog-98]
  it('may have 100,000 lines, and no more', async () => {
    const lines = Array.from({ length: 100_001 }, (_, index) => ({ ...line, sku: `S${index}` }));
    assertRefused(await postFeed(client, { ...feed, lines }), 'validation_failed', ['lines']);
    const { status, json } = await postFeed(client, { ...feed, lines: lines.slice(1) });
    assert.deepEqual([status, json.received_lines], [202, 100_000]);
  });

  // [platform-23]
  it('may have 32 MiB; more is 413', async () => {
    const padded = (bytes: number) => {
      const text = JSON.stringify({ ...feed, padding: '' });
      return Buffer.concat([
        Buffer.from(text.slice(0, -2)),
        Buffer.alloc(bytes - text.length, 'x'),
        Buffer.from('"}'),
      ]);
    };
    const limit = 32 * 1024 * 1024;
    assert.equal((await postFeed(client, padded(limit))).status, 202);
    assertRefused(await postFeed(client, padded(limit + 1)), 'payload_too_large');
  });
});
