import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parseCommandLine } from '../command-line.ts';
import { startDemoUnderTest } from './demo.ts';

const { server } = await startDemoUnderTest();
const main = fileURLToPath(new URL('../main.ts', import.meta.url));

// A data set in the layout of the published one, with difficult cases of CSV.
const dataDir = await mkdtemp(join(tmpdir(), 'brandport-demo-data-'));
after(() => rm(dataDir, { recursive: true }));
await mkdir(join(dataDir, 'commercetools-sunrise'));
await writeFile(
  join(dataDir, 'commercetools-sunrise', 'products.csv'),
  `productType,variantId,sku,prices,tax,size,color,name.en,description.en,slug.en,name.de,description.de,name.it,description.it
main,1,J-1,EUR 18750;EUR 12295 b2b,standard,5.5,black,"Jacket, “Giga” – ""light""","Two
lines",jacket-giga,Jacke „Giga“,,Giacca leggera,
,2,J-2,EUR 18750,,6,black,,,,,,,
main,1,S-1,EUR 5,standard,6,green,Shirt,,shirt,Hemd grün,,,
`,
);
await writeFile(
  join(dataDir, 'commercetools-sunrise', 'inventory.csv.gz'),
  gzipSync('sku,quantityOnStock,supplyChannel\n1111,1,\nJ-1,46,\nS-1,2,\n'),
);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command; `onOutput` receives its output so far. */
async function command(
  args: readonly string[],
  env: Record<string, string> = {},
  onOutput?: (stdout: string, kill: (signal: NodeJS.Signals) => void) => void,
): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, BRANDPORT_REAL_DATA: dataDir, BRANDPORT_ADMIN_TOKEN: server.adminToken, ...env },
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
      onOutput?.(said.stdout, (signal) => child.kill(signal));
    });
  const [code] = await once(child, 'close');
  return { code, ...said };
}

const sunrise = ['--only', 'commercetools-sunrise'];
const running = (clientUrl = server.clientUrl) => ['--client', clientUrl, '--internal', server.internalUrl];

test('against a running server it prints a summary and ends with exit code 0', async () => {
  const { code, stdout, stderr } = await command([...sunrise, ...running()]);
  assert.equal(stderr, '');
  assert.match(stdout, /2 products in brand \d+, no limits/);
  assert.match(stdout, /3 variants, 3 stock lines in brand \d+, no limits/);
  assert.match(stdout, /^commercetools-sunrise +create +2 +2 +0 +0 +\d+\.\d +0$/m);
  assert.match(stdout, /^commercetools-sunrise +send again +2 +2 +0 +0 +\d+\.\d +0$/m);
  assert.match(stdout, /^commercetools-sunrise +read reports +3 +\d+ +0 +0 +\d+\.\d +0$/m);
  assert.match(stdout, /Everything came back as it was sent\.\n$/);
  assert.equal(code, 0);
});

test('one changed character in one response is reported, and the exit code is 1', async () => {
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await fetch(server.clientUrl + request.url, {
      method: request.method as string,
      headers: Object.entries(request.headers).filter(([name]) =>
        ['authorization', 'content-type', 'idempotency-key'].includes(name),
      ) as [string, string][],
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    const isSpoiled = request.url?.includes('per_page=50') === true;
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      'idempotency-replayed': answer.headers.get('idempotency-replayed') ?? '',
    });
    response.end(isSpoiled ? text.replace('Hemd grün', 'Hemd gru\u0308n') : text);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;

  const { code, stdout } = await command([...sunrise, ...running(url)]);
  assert.equal(code, 1);
  assert.match(stdout, /^1 difference:$/m);
  assert.ok(
    stdout.includes(
      String.raw`commercetools-sunrise, read by 50, -updated_at: shirt: versions is {"de":{"title":"Hemd gru\u0308n"},"en":{"title":"Shirt"}}, sent was {"en":{"title":"Shirt"},"de":{"title":"Hemd gr\u00fcn"}}`,
    ),
    stdout,
  );
});

test('with its own server it leaves no process or data, even when interrupted', async () => {
  const own = await mkdtemp(join(tmpdir(), 'brandport-demo-own-'));
  after(() => rm(own, { recursive: true, force: true }));
  const finished = await command([...sunrise], { TMPDIR: own });
  assert.equal(finished.code, 0, finished.stderr);
  assert.match(finished.stdout, /600 requests a minute with 10 keys/);
  assert.match(finished.stdout, /The doctor: Examined 1 brand: everything adds up\.\n$/);
  assert.deepEqual(await readdir(own), []);

  // Under the limits, this many products take longer than a minute, so the interruption cannot be too late.
  const folder = join(own, 'data', 'open-filament-database');
  await mkdir(folder, { recursive: true });
  const lines = Array.from({ length: 700 }, (_, index) =>
    JSON.stringify({ path: `data/brand/PLA/f${index}/filament.json`, doc: { name: `Filament ${index}` } }),
  );
  await writeFile(join(folder, 'catalog.ndjson.gz'), gzipSync(lines.join('\n')));
  const args = ['--data', join(own, 'data'), '--only', 'open-filament-database'];
  let signals = 0;
  const interrupted = await command(args, { TMPDIR: own }, (stdout, kill) => {
    if (stdout.includes('in brand 1') && signals === 0) for (; signals < 2; signals++) kill('SIGINT');
  });
  assert.match(interrupted.stdout, /700 products in brand 1, 600 requests a minute with 10 keys/);
  assert.equal(interrupted.stderr, 'Ended by SIGINT.\n');
  assert.equal(interrupted.code, 1);
  assert.deepEqual(await readdir(own), ['data']);
});

test('missing data is reported with the option for its location, and the exit code is 2', async () => {
  const { code, stderr } = await command(['--data', '/nowhere']);
  assert.equal(code, 2);
  assert.match(stderr, /\/nowhere\/open-filament-database\/catalog\.ndjson\.gz/);
  assert.match(stderr, /--data <dir> or BRANDPORT_REAL_DATA/);
  assert.match(stderr, /^ {2}from: +https:.*online-retail|Spark-The-Definitive-Guide/m);
  const { code: listed, stdout } = await command(['--sources']);
  assert.equal(listed, 0);
  assert.match(stdout, /^spoolmandb\/\n {2}from: .*\n {2}licence: MIT$/m);
});

test('options that are invalid or cannot be combined are reported, and the exit code is 2', async () => {
  const wrong: [string[], RegExp, Record<string, string>?][] = [
    [['--part', '0'], /integer above 0/],
    [['--only', 'nothing'], /Allowed choices are open-filament-database/],
    [['--client', server.clientUrl], /go together/],
    [[...sunrise, ...running()], /BRANDPORT_ADMIN_TOKEN/, { BRANDPORT_ADMIN_TOKEN: '' }],
  ];
  for (const [args, expected, env] of wrong) {
    const { code, stderr, stdout } = await command(args, env);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, expected);
  }
});

test('other options that cannot be combined are refused with the same exit code', () => {
  for (const [args, message] of [
    [[...running(), '--fast'], /--fast is for the server/],
    [running('localhost:8080'), /is not an address/],
  ] as const)
    assert.throws(() => parseCommandLine(args, {}), { message, exitCode: 2 });
});

test('a wrong admin token is reported with the server’s response', async () => {
  const { code, stderr } = await command([...sunrise, ...running()], { BRANDPORT_ADMIN_TOKEN: 'wrong' });
  assert.equal(code, 1);
  assert.match(stderr, /Creating a brand on the internal surface: answered 401 .*unauthenticated/);
});
