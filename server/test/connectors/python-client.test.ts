// processes: runs Debian's Python
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Table } from '../../src/analytics/directory-changes/tests/ledger-client.ts';
import { learners, startAnalysedService } from './analysed-service.ts';
import { python, startPython } from './run-python.ts';

const program = fileURLToPath(new URL('../../../connectors/python/brandport_pull.py', import.meta.url));
const service = await startAnalysedService();
const { brand, days } = service;
const out = mkdtempSync(join(tmpdir(), 'brandport-python-'));
after(() => rmSync(out, { recursive: true }));

const start = (folder: string, url = service.clientUrl, key = brand.apiKey) =>
  startPython(
    [
      program,
      'daily',
      'daily_by_market',
      'contents',
      'users',
      'content_engagement',
      '--out',
      join(out, folder),
    ],
    {
      BRANDPORT_URL: url,
      BRANDPORT_API_KEY: key,
    },
  );

async function pull(folder: string, url?: string): Promise<string[]> {
  const { code, stderr } = await start(folder, url).ended;
  assert.equal(code, 0, stderr);
  return stderr.split('\n').filter((line) => line !== '');
}

/** The rows in the files, as the table of a client; days without rows are absent. */
function tableIn(folder: string): Table {
  const table: Table = { daily: {}, contents: {}, users: {}, content_engagement: {} };
  for (const dataset of Object.keys(table) as (keyof Table)[])
    for (const file of globSync(join(out, folder, dataset, 'date=*.jsonl'))) {
      const lines = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      const day = /date=(.*)\.jsonl$/.exec(file)?.[1] as string;
      if (lines.length > 0) table[dataset][day as never] = lines.map((line) => JSON.parse(line));
    }
  return table;
}

/** The rows of brand level: the program does not read those of markets. */
async function expected(): Promise<Table> {
  const table = await service.readAll();
  for (const [day, rows] of Object.entries(table.daily))
    table.daily[day as never] = rows.filter((row) => (row as { market: unknown }).market === null);
  return table;
}

describe('the Python client', { skip: python === null }, () => {
  it('pulls every day, then only those that have changed, and then nothing', async () => {
    const first = await pull('plain');
    // Days that follow each other share requests.
    assert.equal(first.filter((line) => line.startsWith('users ')).length, 2);
    assert.deepEqual(tableIn('plain'), await expected());
    await service.sendLate(days[1]);
    await service.optOut('u3');
    const second = await pull('plain');
    assert.ok(second.some((line) => line.startsWith('users ')));
    const stored = readFileSync(join(out, `plain/users/date=${days[1]}.jsonl`), 'utf8');
    assert.equal(stored.trimEnd().split('\n').length, learners.length - 1);
    assert.deepEqual(tableIn('plain'), await expected());
    assert.deepEqual(await pull('plain'), []);
  });

  it('pulls the rows of markets', async () => {
    await brand.put('markets', [{ tu_id: 'north', name: 'North' }]);
    await brand.put('users', [{ tu_id: 'u1', market: 'north' }]);
    await service.sendLate(days[1]);
    await pull('plain');
    const rows = readFileSync(join(out, `plain/daily_by_market/date=${days[1]}.jsonl`), 'utf8');
    const { market, active_users: active } = JSON.parse(rows);
    assert.deepEqual([market.tu_id, active], ['north', 1]);
  });

  it('ends with the same files behind lost connections, refusals and cut bodies', async () => {
    const faults = [
      'drop',
      'truncate',
      'status=429; retry-after=0',
      'drop-after-commit',
      'status=503; retry-after=0',
      'html-502',
    ];
    service.faults.replace(
      brand.brandId,
      faults.map((fault, index) => ({ fault, every: 5 + 2 * index })),
    );
    await pull('faults');
    service.faults.replace(brand.brandId, []);
    assert.deepEqual(tableIn('faults'), await expected());
  });

  it('that is killed keeps no revision of days that it has not stored', async () => {
    for (let kill = 1; kill <= 4; kill += 1) {
      const run = start('killed');
      let lines = 0;
      run.child.stderr?.on('data', (text: string) => {
        lines += String(text).split('\n').length - 1;
        if (lines >= kill * 2) run.child.kill('SIGKILL');
      });
      await run.ended;
    }
    await pull('killed');
    assert.deepEqual(tableIn('killed'), await expected());
    assert.equal(existsSync(join(out, 'killed/users/_state.json')), true);
  });

  it('says what the service refuses, without the key', async () => {
    const { code, stderr } = await start('refused', undefined, `${brand.apiKey}x`).ended;
    assert.equal(code, 1);
    assert.match(stderr, /^brandport_pull: .*\(unauthenticated\)$/m);
    assert.ok(!stderr.includes(brand.apiKey));
  });
});
