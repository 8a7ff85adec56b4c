// nightly: runs Debian's Python
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Table } from '../../src/analytics/directory-changes/tests/ledger-client.ts';
import { listeningUrl } from '../support/listening-url.ts';
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

async function startAnswering(listener: RequestListener) {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    listener(request, response);
  });
  const url = await listeningUrl(server);
  return { seen, port: new URL(url).port, url };
}

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

  it('sends the key to no other host', async () => {
    const other = await startAnswering((_, response) => response.end('{}'));
    const { url } = await startAnswering((_, response) =>
      response.writeHead(302, { location: `http://localhost:${other.port}/login?next=x` }).end(),
    );
    const { code, stderr } = await start('redirected', url).ended;
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^brandport_pull: The service redirects to http:\/\/localhost:\d+\/login, which is not/,
    );
    assert.deepEqual(other.seen, []);
  });

  it('waits until a date, and not for a page that is no JSON, a long wait, or a disk', async () => {
    const dated = await startAnswering((_, response) => {
      const { length } = dated.seen;
      const now = Math.floor(Date.now() / 1_000) * 1_000;
      const headers = {
        date: new Date(now).toUTCString(),
        'retry-after': new Date(now + 1_000).toUTCString(),
      };
      if (length === 1) response.writeHead(503, headers).end();
      else response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"c","message":"m"}');
    });
    assert.match((await start('dated', dated.url).ended).stderr, /^brandport_pull: m \(c\)$/m);
    const page = await startAnswering((_, response) => response.end('<html>'));
    const { stderr } = await start('page', page.url).ended;
    assert.match(
      stderr,
      /^brandport_pull: The response 200 of http:\S+ is not JSON: a proxy may have sent it\..*\n$/,
    );
    assert.equal(page.seen.length, 1);
    const long = await startAnswering((_, response) =>
      response.writeHead(503, { 'retry-after': '9999999' }).end(),
    );
    assert.match((await start('long', long.url).ended).stderr, /It asks to wait 9999999 s\./);
    assert.equal(long.seen.length, 1);
    writeFileSync(join(out, 'a-file'), '');
    const full = await start('a-file').ended;
    assert.match(full.stderr, /^brandport_pull: \[Errno \d+\] .*\n$/);
    assert.equal(full.code, 1);
  });

  it('says what the service refuses, without the key', async () => {
    const { code, stderr } = await start('refused', undefined, `${brand.apiKey}x`).ended;
    assert.equal(code, 1);
    assert.match(stderr, /^brandport_pull: .*\(unauthenticated\)$/m);
    assert.ok(!stderr.includes(brand.apiKey));
  });
});
