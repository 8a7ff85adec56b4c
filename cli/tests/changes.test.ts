// processes: starts the command and kills it, run after run.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { startCliService } from './cli-service.ts';
import { SyncFolder } from './sync-kit.ts';

const { apps, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());
const folder = new SyncFolder();
const bin = fileURLToPath(new URL('../bin/brandport.js', import.meta.url));

describe('brandport changes', () => {
  it('writes each change once, and the next run continues', async () => {
    const { cli, brandport } = await newCliBrand();
    const args = ['changes', '--state', join(folder.path, 'once')];
    const skus = async () => {
      const { code, stdout } = await cli(args);
      assert.equal(code, 0);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).sku);
    };
    const one = await brandport.catalog.products.create({ sku: 'ONE' });
    await brandport.catalog.products.create({ sku: 'TWO' });
    assert.deepEqual([await skus(), await skus()], [['ONE', 'TWO'], []]);
    await brandport.catalog.products.update(one.tu_id, { title: 'New' });
    assert.deepEqual(await skus(), ['ONE']);
    assert.equal((await cli(['changes'])).code, 2);
  });

  it('loses nothing when it is killed again and again during writes', async () => {
    const { env, brandport } = await newCliBrand();
    const ids = await Promise.all(
      Array.from(
        { length: 40 },
        async (_, n) => (await brandport.catalog.products.create({ sku: `S${n}`, title: '0' })).tu_id,
      ),
    );
    const out = join(folder.path, 'out.jsonl');
    const copied = () =>
      !existsSync(out)
        ? []
        : readFileSync(out, 'utf8')
            .split('\n')
            .flatMap((line) => parsed(line));
    const args = [
      'changes',
      '--follow',
      '--interval',
      '0.02',
      '--state',
      join(folder.path, 'killed'),
      '--output',
      out,
    ];
    for (let round = 1; round <= 4; round += 1) {
      // What a kill in the middle of a write leaves: the next run removes it.
      if (round > 1) appendFileSync(out, '{"tu_id":"cut');
      const before = copied().length;
      const child = spawn(process.execPath, [bin, ...args], {
        env: { PATH: process.env['PATH'], HOME: folder.path, ...env },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const exited = once(child, 'exit');
      const writing = (async () => {
        for (const tuId of ids.slice(round * 5, round * 5 + 15))
          await brandport.catalog.products.update(tuId, { title: String(round) });
      })();
      await waitFor('the first changes of a run', () => copied().length > before);
      if (round === 4) {
        await writing;
        const last = ids[34] ?? '';
        await waitFor('the last change', () =>
          copied().some((one) => one.tu_id === last && one.title === '4'),
        );
      }
      child.kill('SIGKILL');
      await exited;
      await writing;
    }
    const lines = readFileSync(out, 'utf8').split('\n');
    assert.ok(lines.slice(0, -1).every((line) => parsed(line).length === 1));
    const stored = await brandport.catalog.products.list().toArray();
    assert.deepEqual(
      new Map(copied().map(({ tu_id, title }) => [tu_id, title])),
      new Map(stored.map(({ tu_id, title }) => [tu_id, title])),
    );
  });

  it('exits with 130 on Ctrl-C, and says how it continues', async () => {
    const { cli } = await newCliBrand();
    const controller = new AbortController();
    const running = cli(['changes', '--follow', '--state', join(folder.path, 'stopped')], {
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(new Error('Interrupted.')), 200);
    const { code, stderr } = await running;
    assert.equal(code, 130);
    assert.match(stderr, /Run the same command again/);
  });
});

/** The last line may not be complete yet. */
function parsed(line: string): { tu_id: string; title: string }[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
