// processes: starts and kills the tap
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Brandport } from '../../client/src/index.ts';
import { datasetNames } from '../src/columns/datasets.ts';
import { startCliService } from './cli-service.ts';
import { newPulledBrand, type PulledBrand } from './pull-brand.ts';
import { newFolder, servedRows } from './pull-kit.ts';
import { CheckingTarget } from './singer-target.ts';

const { apps, clientUrl } = await startCliService();
const program = fileURLToPath(new URL('../bin/tap-brandport.js', import.meta.url));

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with the files of a tap, and the tap as an orchestrator starts it: a process whose output is a target's input. */
async function newTap(brand: PulledBrand, config: object = {}) {
  const folder = await newFolder();
  const file = async (name: string, value: unknown) => {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(value));
    return path;
  };
  const configPath = await file('config.json', { url: clientUrl, api_key: brand.apiKey, ...config });
  const start = async (
    args: readonly string[],
    onLine: (line: string, kill: () => void) => void = () => {},
  ): Promise<Run> => {
    const child = spawn(process.execPath, [program, '--config', configPath, ...args], {
      env: { PATH: process.env['PATH'], HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      stdout += `${line}\n`;
      onLine(line, () => child.kill('SIGKILL'));
    });
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  };
  return {
    file,
    start,
    /** Runs the tap with the target's state, until its n-th STATE. */
    feed: async (
      target: CheckingTarget,
      args: readonly string[] = [],
      killAfter = Number.POSITIVE_INFINITY,
    ) => {
      const state = target.state === null ? [] : ['--state', await file('state.json', target.state)];
      const before = target.states;
      const run = await start([...args, ...state], (line, kill) => {
        if (target.states - before >= killAfter) return;
        target.receive(line);
        if (target.states - before >= killAfter) kill();
      });
      target.crash();
      return run;
    },
  };
}

/** All streams as INCREMENTAL: for a target that replaces the rows of a date. */
function incremental(catalog: string): object {
  const { streams } = JSON.parse(catalog);
  for (const stream of streams) stream.metadata[0].metadata['replication-method'] = 'INCREMENTAL';
  return { streams };
}

async function assertServed(target: CheckingTarget, brand: PulledBrand): Promise<void> {
  const brandport = new Brandport({ baseUrl: clientUrl, apiKey: brand.apiKey });
  for (const dataset of datasetNames) {
    const served = await servedRows(brandport, dataset, { from: brand.days[0], to: brand.days[3] });
    assert.deepEqual(target.stored[dataset], served, dataset);
  }
}

describe('tap-brandport', () => {
  it('discovers its streams, and sends them in messages that a strict target accepts', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const tap = await newTap(brand);
    const { code, stdout, stderr } = await tap.start(['--discover']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      JSON.parse(stdout).streams.map(({ stream, key_properties, replication_method }: never) => [
        stream,
        key_properties,
        replication_method,
      ]),
      [
        ['daily', ['date'], 'INCREMENTAL'],
        ['daily_by_market', ['date', 'market_tu_id'], 'FULL_TABLE'],
        ['contents', [], 'FULL_TABLE'],
        ['users', ['date', 'user_tu_id'], 'FULL_TABLE'],
        ['content_engagement', [], 'FULL_TABLE'],
      ],
    );
    const target = new CheckingTarget();
    const run = await tap.feed(target);
    assert.equal(run.code, 0, run.stderr);
    await assertServed(target, brand);
    // The second run sends learners again, and of the daily metrics nothing.
    const again = await tap.feed(target);
    const sent = again.stdout.split('\n').filter((line) => line.includes('"RECORD"'));
    assert.ok(sent.length > 0 && sent.every((line) => !line.includes('"stream":"daily"')));
  });

  it('that is killed between days continues with the state, and a new run sends nothing', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const tap = await newTap(brand);
    const catalog = [
      '--catalog',
      await tap.file('catalog.json', incremental((await tap.start(['--discover'])).stdout)),
    ];
    const target = new CheckingTarget();
    for (const states of [1, 2, 3]) await tap.feed(target, catalog, states);
    assert.equal(target.states, 6);
    const last = await tap.feed(target, catalog);
    assert.equal(last.code, 0, last.stderr);
    await assertServed(target, brand);
    // 5 streams of 3 days, the end of each stream, and that of the first one again: no day came twice after its STATE.
    assert.equal(target.states, 21);
    const idle = await tap.feed(target, catalog);
    assert.doesNotMatch(idle.stdout, /RECORD/);
    await brand.optOut('bo');
    await brand.send([{ day: brand.days[1], user: 'cy' }]);
    await brand.aggregate({ from: brand.days[1], to: brand.days[1] });
    assert.equal((await tap.feed(target, catalog, 1)).code, null);
    assert.equal((await tap.feed(target, catalog)).code, 0);
    await assertServed(target, brand);
    assert.doesNotMatch(JSON.stringify(target.stored), /"bo"/);
    assert.doesNotMatch(JSON.stringify(target.state), /ada|cy/);
  });

  it('refuses files that are wrong, and the state of another brand', async () => {
    const [brand, other] = [await newPulledBrand(apps, clientUrl), await newPulledBrand(apps, clientUrl)];
    const tap = await newTap(brand, { streams: ['daily'], start_date: `${brand.days[3]}T00:00:00Z` });
    const target = new CheckingTarget();
    assert.equal((await tap.feed(target)).code, 0);
    assert.deepEqual(Object.keys(target.stored['daily'] ?? {}), [brand.days[3]]);
    const wrong: [string, unknown, RegExp][] = [
      ['--state', { brand_id: other.brandId }, /The state is of brand/],
      ['--state', { brand: brand.brandId }, /The state has no bookmarks/],
      ['--catalog', { streams: [{ tap_stream_id: 'orders' }] }, /does not exist/],
      ['--catalog', [], /no streams/],
      ['--config', { api_key: 'x' }, /needs url and api_key/],
      ['--config', { streams: ['orders'] }, /unknown dataset/],
      ['--config', { start_date: 'soon' }, /not a day/],
      ['--config', { url: 'no address', api_key: 'x' }, /not valid/],
      [
        '--config',
        { url: `${clientUrl}/v1/client`, api_key: 'x' },
        /not valid: url must be the address .+, without \/v1\/client\./,
      ],
    ];
    for (const [option, value, message] of wrong) {
      const run = await brand.run(['tap', option, await tap.file('wrong.json', value)]);
      assert.equal(run.code, 2, run.stderr);
      assert.match(run.stderr, message);
      assert.equal(run.stdout, '');
    }
    const { apiKey } = await apps.newKey(brand.brandId, ['analytics.metrics:read']);
    const narrow = await (await newTap(brand, { api_key: apiKey, streams: ['daily', 'users'] })).start([]);
    assert.equal(narrow.code, 2);
    assert.match(narrow.stderr, /The key cannot read users: it lacks analytics\.users:read/);
    const secret = await newTap(brand, { api_key: 'tuk_wrong.key' });
    const refused = await secret.start([]);
    assert.equal(refused.code, 4);
    assert.doesNotMatch(refused.stderr, /wrong\.key/);
  });
});
