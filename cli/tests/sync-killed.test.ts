// processes: starts the command and kills it, run after run.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startFaultProxy } from '../../client/tests/fault-proxy.ts';
import { startSdkService } from '../../client/tests/sdk-service.ts';
import { catalogFiles, changedFiles } from './sync-files.ts';
import { catalogOf, SyncFolder } from './sync-kit.ts';

const { apps, clientUrl, newBrand } = await startSdkService({ runsJobs: true });
after(() => apps.clientApp.close());
const folder = new SyncFolder();
const files = catalogFiles(folder);
const bin = fileURLToPath(new URL('../bin/brandport.js', import.meta.url));

describe('brandport sync [D148]', () => {
  it('ends in the same catalog when it is killed at every write, before its effect and after it', async () => {
    const unbroken = await newBrand();
    await folder.sync(unbroken.brandport, files);
    const expected = await catalogOf(unbroken.brandport);

    const brand = await newBrand();
    const { counts } = await folder.plan(brand.brandport, files);
    let child: ChildProcess | null = null;
    let writes = 0;
    let killed = 0;
    let runs = 0;
    const proxy = await startFaultProxy(clientUrl, (_number, { method }) => {
      if (method === 'GET') return null;
      writes += 1;
      // Every run comes one or two writes further: odd runs die before a write, even ones after it.
      const isLast = writes === (runs % 3) + 1;
      if (!isLast) return null;
      killed += 1;
      child?.kill('SIGKILL');
      return runs % 2 === 1 && writes > 1 ? 'stall before sending' : 'stall after the effect';
    });
    const env = {
      PATH: process.env['PATH'],
      HOME: folder.path,
      BRANDPORT_URL: proxy.url,
      BRANDPORT_API_KEY: brand.apiKey,
    };
    const failures: string[] = [];
    for (let code: number | null = null; code !== 0; runs += 1) {
      assert.ok(runs < 40, `still not done after ${runs} runs: ${failures.join('\n')}`);
      writes = 0;
      child = spawn(process.execPath, [bin, 'sync', '--yes', ...files], {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => failures.push(text));
      [code] = (await once(child, 'exit')) as [number | null];
      // 5: the last write of the killed run came after this one has compared.
      assert.ok(code === null || code === 0 || code === 5, `exit code ${code}\n${failures.join('')}`);
    }
    assert.ok(killed >= counts.writes / 3, `killed ${killed} times`);
    assert.deepEqual(await catalogOf(brand.brandport), expected);
    const [movements] = await apps.sql(
      'select count(*)::int as count from stock_movements where brand_id = $1',
      [brand.brandId],
    );
    assert.equal(movements?.['count'], 3);
    assert.equal((await folder.plan(brand.brandport, files)).counts.writes, 0);
  });

  it('changes what is stored and ends in the same catalog when it is killed at random moments', async () => {
    const [unbroken, brand] = [await newBrand(), await newBrand()];
    for (const { brandport } of [unbroken, brand]) await folder.sync(brandport, files);
    const changed = [...files.slice(0, 2), ...changedFiles(folder)];
    await folder.sync(unbroken.brandport, changed);
    const { counts } = await folder.plan(brand.brandport, changed);
    assert.equal(counts.writes, 8);
    let child: ChildProcess | null = null;
    let kills = 0;
    const env = {
      PATH: process.env['PATH'],
      HOME: folder.path,
      BRANDPORT_URL: (
        await startFaultProxy(clientUrl, (number) => {
          // Some milliseconds after any of its requests, sometimes in the middle of another one.
          if (kills < 6 && number % 3 === 0) {
            kills += 1;
            setTimeout(() => child?.kill('SIGKILL'), Math.random() * 30);
          }
          return null;
        })
      ).url,
      BRANDPORT_API_KEY: brand.apiKey,
    };
    for (let code: number | null = null, runs = 0; code !== 0; runs += 1) {
      assert.ok(runs < 10);
      child = spawn(process.execPath, [bin, 'sync', '--yes', ...changed], { env, stdio: 'ignore' });
      [code] = (await once(child, 'exit')) as [number | null];
      // 5: the last write of the killed run came after this one has compared.
      assert.ok(code === null || code === 0 || code === 5, `exit code ${code}`);
    }
    assert.deepEqual(await catalogOf(brand.brandport), await catalogOf(unbroken.brandport));
    assert.equal((await folder.plan(brand.brandport, changed)).counts.writes, 0);
  });
});
