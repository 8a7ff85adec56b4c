// processes: sends feeds through each fault of a proxy
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { passingFaults } from '../../server/test/support/sandbox-faults.ts';
import { feedParts } from '../src/feeds/feed-input.ts';
import {
  type Brandport,
  type FeedLine,
  isBrandportError,
  ValidationFailed,
  type WarningEvent,
} from '../src/index.ts';
import { startSdkService } from './sdk-service.ts';

const { apps, admin, newBrand } = await startSdkService({ runsJobs: true });
after(() => apps.clientApp.close());

/** Creates a brand with three products and a location. */
async function stockedBrand() {
  const brand = await newBrand();
  const { products, locations } = brand.brandport.catalog;
  for (const sku of ['A', 'B', 'C']) await products.create({ sku });
  await locations.create({ external_code: 'hall' });
  return brand;
}

async function quantities(brandport: Brandport): Promise<Record<string, number>> {
  const levels = await brandport.catalog.stock.levels().toArray();
  return Object.fromEntries(levels.map(({ sku, quantity }) => [sku, quantity]));
}

const line = (sku: string, quantity: number, location_code = 'hall'): FeedLine => ({
  sku,
  location_code,
  quantity,
});

describe('a feed', () => {
  it('is submitted, awaited, and its failed lines are corrected and sent again', async () => {
    const { brandport } = await stockedBrand();
    const lines = [line('A', 1), line('X', 2), line('B', 3, 'attic'), line('B', 4), line('B', 5)];
    const feed = await brandport.feeds.submit({ source: 'erp', lines, batchId: 'monday' });
    assert.deepEqual(
      feed.parts.map(({ batchId, lines: count, isNew }) => [batchId, count, isNew]),
      [['monday', 5, true]],
    );
    const progress: string[] = [];
    const { totals } = await feed.wait({
      deadlineMs: 60_000,
      onProgress: ({ status }) => progress.push(status),
    });
    assert.equal(progress.at(-1), 'completed');
    assert.deepEqual(totals, { received: 5, applied: 2, unknown_sku: 1, unknown_location: 1, superseded: 1 });
    const failed = await Array.fromAsync(feed.failedLines());
    assert.deepEqual(
      failed.map((one) => [one.line, one.result, one.original]),
      [
        [1, 'unknown_sku', lines[1]],
        [2, 'unknown_location', lines[2]],
      ],
    );
    assert.match(failed[0]?.remedy ?? '', /Create the product/);

    const again = await feed.resubmit({
      correct: (one, { result }) => (result === 'unknown_sku' ? { ...one, sku: 'C' } : null),
    });
    assert.match(String(again?.batchId), /^monday-again-[\w-]{16}$/);
    await again?.wait({ deadlineMs: 60_000 });
    assert.deepEqual(await quantities(brandport), { A: 1, B: 5, C: 2 });
    assert.equal(await again?.resubmit(), null);
  });

  it('names refused lines by their place in the submission, not in their part', () => {
    const errors = { 'lines.1.quantity': ['must be at least 0'], source: ['is required'] };
    const message = 'The request is not valid.';
    const error = new ValidationFailed({
      ...{ code: 'validation_failed', message, status: 422, body: { message }, errors },
    });
    assert.equal(error.withLinesFrom(0), error);
    const whole = error.withLinesFrom(100_000);
    assert.deepEqual(Object.keys(whole.errors), ['lines.100001.quantity', 'source']);
    assert.match(whole.message, /^The request is not valid\. lines\.100001\.quantity: must be at least 0;/);
    assert.equal(whole.status, 422);
  });

  it('is opened again by another process, from the parts that the first one kept', async () => {
    const { brandport, connect } = await stockedBrand();
    const lines = [line('A', 1), line('X', 2)];
    const { parts } = await brandport.feeds.submit({ source: 'erp', lines, batchId: 'kept' });
    const kept: typeof parts = JSON.parse(JSON.stringify(parts));
    const feed = connect().feeds.reopen({ source: 'erp', lines, batchId: 'kept' }, kept);
    assert.deepEqual((await feed.wait({ deadlineMs: 60_000 })).totals, {
      received: 2,
      applied: 1,
      unknown_sku: 1,
    });
    const failed = await Array.fromAsync(feed.failedLines());
    assert.deepEqual(
      failed.map(({ line: number, original }) => [number, original]),
      [[1, lines[1]]],
    );
    const again = await feed.resubmit({ correct: (one) => ({ ...one, sku: 'C' }) });
    await again?.wait({ deadlineMs: 60_000 });
    assert.deepEqual(await quantities(brandport), { A: 1, C: 2 });
  });

  it('sends an old line again without replacing a newer quantity', async () => {
    const { brandport } = await stockedBrand();
    const { products, stock } = brandport.catalog;
    const feed = await brandport.feeds.submit({ source: 'erp', lines: [line('LATE', 1)] });
    await feed.wait({ deadlineMs: 60_000 });
    const late = await products.create({ sku: 'LATE' });
    await stock.adjust(late.tu_id, { location: 'hall', quantity: 9 });
    const again = await feed.resubmit();
    assert.deepEqual((await again?.wait({ deadlineMs: 60_000 }))?.totals, { received: 1, stale: 1 });
    assert.equal((await quantities(brandport))['LATE'], 9);
  });

  it('keeps the time of the first receipt over processes and repetitions', async () => {
    const { brandport, connect } = await stockedBrand();
    const { products, stock } = brandport.catalog;
    const lines = [line('LATER', 5)];
    const feed = await brandport.feeds.submit({ source: 'erp', lines, batchId: 'first' });
    await feed.wait({ deadlineMs: 60_000 });
    const later = await products.create({ sku: 'LATER' });
    await stock.adjust(later.tu_id, { location: 'hall', quantity: 9 });
    const again = await feed.resubmit({ correct: (one) => ({ ...one, sku: 'STILL-WRONG' }) });
    assert.ok(again);
    await again.wait({ deadlineMs: 60_000 });
    const kept: typeof again.parts = JSON.parse(JSON.stringify(again.parts));
    const reopened = connect().feeds.reopen({ source: 'erp', lines, batchId: again.batchId }, kept);
    const last = await reopened.resubmit();
    assert.deepEqual((await last?.wait({ deadlineMs: 60_000 }))?.totals, { received: 1, stale: 1 });
    assert.equal((await quantities(brandport))['LATER'], 9);
  });

  it('is sent again with other corrections as another feed', async () => {
    const { brandport } = await stockedBrand();
    const feed = await brandport.feeds.submit({ source: 'erp', lines: [line('X', 1), line('Y', 2)] });
    await feed.wait({ deadlineMs: 60_000 });
    const first = await feed.resubmit({ correct: (one) => (one.sku === 'X' ? { ...one, sku: 'A' } : null) });
    const second = await feed.resubmit({ correct: (one) => (one.sku === 'Y' ? { ...one, sku: 'C' } : null) });
    for (const again of [first, second]) await again?.wait({ deadlineMs: 60_000 });
    assert.deepEqual(await quantities(brandport), { A: 1, C: 2 });
    const repeated = await feed.resubmit({
      correct: (one) => (one.sku === 'Y' ? { ...one, sku: 'C' } : null),
    });
    assert.deepEqual(
      repeated?.parts.map(({ isNew }) => isNew),
      [false],
    );
  });

  it('comes from CSV, as text, bytes and chunks', async () => {
    const { brandport } = await stockedBrand();
    const csv = 'sku,location_code,quantity\r\nA,hall,10\r\nB,hall,20\r\nNO,hall,30\r\n';
    const chunks = async function* () {
      for (let at = 0; at < csv.length; at += 7) yield new TextEncoder().encode(csv.slice(at, at + 7));
    };
    for (const input of [csv, new TextEncoder().encode(csv), chunks, chunks()]) {
      const feed = await brandport.feeds.submit({ source: 'csv', csv: input });
      const { totals } = await feed.wait({ deadlineMs: 60_000 });
      assert.deepEqual([totals['received'], totals['unknown_sku']], [3, 1]);
      const [failed] = await Array.fromAsync(feed.failedLines());
      const isOnce = typeof input === 'object' && !(input instanceof Uint8Array);
      assert.deepEqual(failed?.original, isOnce ? null : line('NO', 30));
      if (isOnce) await assert.rejects(feed.resubmit(), TypeError);
    }
    assert.deepEqual(await quantities(brandport), { A: 10, B: 20 });
    const broken = brandport.feeds.submit({ source: 'csv', csv: 'sku,location_code,quantity\nA,hall,x' });
    await assert.rejects(broken, (error) => isBrandportError(error, 'csv_invalid'));
    await assert.rejects(brandport.feeds.submit({ source: 'erp', lines: [] }), (error) =>
      isBrandportError(error, 'validation_failed'),
    );
  });

  it('is not applied again under its batch id, and says so if its lines are others', async () => {
    const warnings: WarningEvent[] = [];
    const { connect } = await stockedBrand();
    const brandport = connect({ hooks: { onWarning: (event) => warnings.push(event) } });
    const first = await brandport.feeds.submit({ source: 'erp', batchId: 'b', lines: [line('A', 1)] });
    const same = await brandport.feeds.submit({ source: 'erp', batchId: 'b', lines: [line('A', 1)] });
    const other = await brandport.feeds.submit({ source: 'erp', batchId: 'b', lines: [line('A', 2)] });
    const feedId = first.parts[0]?.feedId ?? '';
    assert.deepEqual(
      [same, other].map(({ parts }) => parts[0]?.feedId),
      [feedId, feedId],
    );
    assert.deepEqual(
      [first, same, other].map(({ parts }) => parts[0]?.isNew),
      [true, false, false],
    );
    assert.deepEqual(warnings, [{ kind: 'feed_body_differs', feedId, batchId: 'b' }]);
    await other.wait({ deadlineMs: 60_000 });
    assert.deepEqual(await quantities(brandport), { A: 1 });
  });

  for (const fault of passingFaults)
    it(`is submitted once when requests meet: ${fault}`, async () => {
      const { brandport, brandId, meet } = await stockedBrand();
      // Every other request fails: submission, waiting and report.
      meet({ every: 2, fault });
      await brandport.catalog.status();
      const feed = await brandport.feeds.submit({ source: 'erp', lines: [line('A', 1), line('X', 1)] });
      await feed.wait({ deadlineMs: 60_000 });
      assert.equal((await Array.fromAsync(feed.failedLines())).length, 1);
      const feeds = await admin.feeds.listOfBrand(brandId).toArray();
      assert.equal(feeds.length, 1);
      assert.deepEqual(await quantities(brandport), { A: 1 });
    });
});

describe('the parts of a feed', () => {
  async function cut(count: number, limits: { lines: number; bytes: number }) {
    const lines = Array.from({ length: count }, (_, index) => line(`S${index}`, index));
    return Array.fromAsync(feedParts(lines, limits));
  }

  it('are cut at the limit of lines, without a part that is empty', async () => {
    const bytes = 1_000_000;
    const shape = async (count: number) =>
      (await cut(count, { lines: 3, bytes })).map((part) => [part.firstLine, part.count, part.isLast]);
    assert.deepEqual(await shape(3), [[0, 3, true]]);
    assert.deepEqual(await shape(4), [
      [0, 3, false],
      [3, 1, true],
    ]);
    assert.deepEqual(await shape(6), [
      [0, 3, false],
      [3, 3, true],
    ]);
    const parts = await cut(7, { lines: 3, bytes });
    assert.deepEqual(
      parts.flatMap(({ json }) => JSON.parse(json)).map(({ sku }) => sku),
      ['S0', 'S1', 'S2', 'S3', 'S4', 'S5', 'S6'],
    );
  });

  it('are cut at the limit of bytes as sent', async () => {
    const wide = Array.from({ length: 4 }, () => line('👕'.repeat(10), 1));
    const size = new TextEncoder().encode(JSON.stringify(wide[0])).length + 1;
    const parts = await Array.fromAsync(feedParts(wide, { lines: 10, bytes: 2 * size }));
    assert.deepEqual(
      parts.map(({ count }) => count),
      [2, 2],
    );
    assert.ok(parts.every(({ json }) => new TextEncoder().encode(json).length <= 2 * size + 1));
  });
});
