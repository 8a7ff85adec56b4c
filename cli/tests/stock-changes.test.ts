import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { startCliService } from './cli-service.ts';
import { SyncFolder } from './sync-kit.ts';

const { apps, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());
const folder = new SyncFolder();

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('brandport changes --stock', () => {
  it('writes every level, then each change once, deleted ones too, and the next run continues', async () => {
    const { cli, brandport } = await newCliBrand();
    const { products, stock, axes, variants } = brandport.catalog;
    const args = ['changes', '--stock', '--json', '--state', join(folder.path, 'levels')];
    const changes = async () => {
      const { code, stdout, stderr } = await cli(args);
      assert.equal(code, 0, stderr);
      return linesOf(stdout).map(({ sku, quantity, is_deleted }) => [sku, quantity, is_deleted]);
    };
    const one = await products.create({ sku: 'ONE' });
    const two = await products.create({ sku: 'TWO' });
    await axes.create({ code: 'size', values: [{ value: 's' }] });
    await products.replaceAxes(two.tu_id, { axes: [{ code: 'size', values: ['s'] }] });
    const variant = await variants.create(two.tu_id, { sku: 'TWO-s', axis_values: { size: 's' } });
    await stock.adjust(one.tu_id, { quantity: 1 });
    await stock.adjust(two.tu_id, { variant: variant.tu_id, quantity: 2 });
    assert.deepEqual(await changes(), [
      ['ONE', 1, false],
      ['TWO-s', 2, false],
    ]);
    assert.deepEqual(await changes(), []);
    await variants.delete(variant.tu_id);
    await stock.adjust(one.tu_id, { quantity: 3 });
    assert.deepEqual(await changes(), [
      ['TWO-s', 2, true],
      ['ONE', 3, false],
    ]);
    assert.equal((await cli(['changes', '--stock'])).code, 2);
  });

  it('waits for changes with --follow, appends them to a file, and says on Ctrl-C how it continues', async () => {
    const { cli, brandport } = await newCliBrand();
    const { tu_id } = await brandport.catalog.products.create({ sku: 'S' });
    const [state, out] = [join(folder.path, 'followed'), join(folder.path, 'levels.jsonl')];
    const controller = new AbortController();
    const args = ['changes', '--stock', '--follow', '--interval', '0.02', '--state', state, '--output', out];
    const running = cli(args, { signal: controller.signal });
    for (const quantity of [1, 2, 3]) {
      await brandport.catalog.stock.adjust(tu_id, { quantity });
      await waitFor(`the quantity ${quantity}`, () => {
        const last = linesOf(readFileSync(out, 'utf8')).at(-1);
        return last?.quantity === quantity;
      });
    }
    controller.abort(new Error('Interrupted.'));
    const { code, stderr } = await running;
    assert.equal(code, 130);
    assert.match(stderr, /Run the same command again/);
  });

  it('refuses a place that the service no longer knows, and says what to do', async () => {
    const { cli, brandport, brandId } = await newCliBrand();
    const { tu_id } = await brandport.catalog.products.create({ sku: 'S' });
    const state = join(folder.path, 'old');
    const args = ['changes', '--stock', '--state', state];
    await brandport.catalog.stock.adjust(tu_id, { quantity: 1 });
    assert.equal((await cli(args)).code, 0);
    const kept = readFileSync(state, 'utf8');
    await brandport.catalog.stock.adjust(tu_id, { quantity: 2 });
    await apps.sql('delete from stock_changes where brand_id = $1', [brandId]);
    const { code, stdout, stderr } = await cli(args);
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(stderr, /Remove the file and your copy of the levels/);
    assert.equal(readFileSync(state, 'utf8'), kept);
  });
});
