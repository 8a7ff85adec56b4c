// processes: packs the SDK and installs it with npm

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { packTarballs } from '../../../../client/scripts/pack-tarballs.ts';
import { version } from '../../../../client/src/version.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';

const run = promisify(execFile);
await packTarballs();
const apps = await createTestApps();
const url = await apps.clientApp.listen({ host: '127.0.0.1', port: 0 });
const names = ['client', 'cli', 'server'].map((name) => `brandport-${name}-${version}.tgz`);

describe('/sdk/', () => {
  // [D279]
  it('has the tarballs of this version, which npm installs without a key and the registry', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'brandport-sdk-'));
    after(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const env = {
      ...process.env,
      npm_config_registry: 'http://127.0.0.1:1',
      npm_config_cache: join(folder, 'cache'),
    };
    await run('npm', ['install', '--no-audit', '--no-fund', `${url}/sdk/${names[0]}`], { cwd: folder, env });
    const script = `process.stdout.write(typeof require('@brandport/client').Brandport)`;
    assert.equal((await run(process.execPath, ['-e', script], { cwd: folder })).stdout, 'function');
    // Packing again changes nothing: a lock file stays valid.
    assert.equal(await packTarballs(), false);
  });

  it('lists them as a page and as JSON, with what a lock file needs', async () => {
    const page = await fetch(`${url}/sdk`);
    assert.equal(page.url, `${url}/sdk/`);
    const text = await page.text();
    for (const name of names) assert.ok(text.includes(`${url}/sdk/${name}`), name);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const { packages } = (await (
      await fetch(`${url}/sdk/`, { headers: { accept: 'application/json' } })
    ).json()) as {
      packages: { file: string; package: string; version: string; bytes: number; integrity: string }[];
    };
    assert.deepEqual(
      packages.map(({ file }) => file),
      names,
    );
    for (const { file, bytes, integrity } of packages) {
      const body = Buffer.from(await (await fetch(`${url}/sdk/${file}`)).arrayBuffer());
      assert.deepEqual([body.length, integrity.slice(0, 7)], [bytes, 'sha512-']);
      assert.ok(bytes < (file.includes('server') ? 8_000_000 : 120_000), `${file}: ${bytes}`);
    }
  });

  it('has the Python client next to them', async () => {
    const served = await fetch(`${url}/sdk/brandport_pull.py`);
    assert.equal(served.headers.get('content-type'), 'text/x-python; charset=utf-8');
    const source = new URL('../../../../connectors/python/brandport_pull.py', import.meta.url);
    assert.equal(await served.text(), await readFile(source, 'utf8'));
    assert.match(await (await fetch(`${url}/sdk/`)).text(), /href="brandport_pull\.py"/);
  });

  it('is cached, and is 404 for any other name', async () => {
    const first = await fetch(`${url}/sdk/${names[0]}`, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(first.headers.get('content-encoding'), null);
    assert.equal(first.headers.get('cache-control'), 'public, max-age=3600');
    const tag = first.headers.get('etag') ?? '';
    await first.arrayBuffer();
    const again = await fetch(first.url, { headers: { 'if-none-match': tag } });
    assert.equal(again.status, 304);
    assert.equal((await fetch(first.url, { method: 'HEAD' })).headers.get('etag'), tag);
    for (const name of [
      'brandport-client-9.9.9.tgz',
      'build-stamp.txt',
      '..%2fpackage.json',
      'x'.repeat(300),
    ])
      assert.equal((await fetch(`${url}/sdk/${name}`)).status, 404, name);
  });
});
