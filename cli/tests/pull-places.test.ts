// processes: pulls into places of every kind
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startCliService } from './cli-service.ts';
import { newPulledBrand } from './pull-brand.ts';
import { fingerprintsOf, newFolder } from './pull-kit.ts';

const { apps, clientUrl } = await startCliService();

describe('the place of a pull', () => {
  it('of another brand, service, format or program is refused, and not touched', async () => {
    const [one, other] = [await newPulledBrand(apps, clientUrl), await newPulledBrand(apps, clientUrl)];
    const folder = await newFolder();
    const files = join(folder, 'files');
    assert.equal((await one.run(['pull', 'daily', '--out', files])).code, 0);
    const refused = await other.run(['pull', 'daily', '--out', files]);
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, new RegExp(`brand ${one.brandId}, and this run has ${other.brandId}`));
    const host = await one.run(['pull', 'daily', '--out', files], {
      env: { BRANDPORT_URL: clientUrl.replace('127.0.0.1', 'localhost') },
    });
    assert.equal(host.code, 2, host.stderr);
    assert.match(host.stderr, /the service/);
    const before = await fingerprintsOf(files);
    assert.equal((await one.run(['pull', 'daily', '--out', files, '--format', 'csv'])).code, 2);
    const csv = join(folder, 'csv');
    assert.equal((await one.run(['pull', 'daily', '--out', csv, '--format', 'csv'])).code, 0);
    // The place knows its format.
    assert.equal((await one.run(['pull', 'daily', '--out', csv, '--full'])).code, 0);
    assert.equal((await one.run(['pull', 'daily', '--out', csv, '--verify'])).code, 0);
    await writeFile(
      join(files, '_brandport', 'lock'),
      JSON.stringify({ pid: 1, host: 'elsewhere', since: null }),
    );
    const locked = await one.run(['pull', 'daily', '--out', files]);
    assert.equal(locked.code, 2);
    assert.match(locked.stderr, /held by process 1 on elsewhere/);
    await rm(join(files, '_brandport', 'lock'));
    assert.deepEqual(await fingerprintsOf(files), before);
    await rm(join(files, '_brandport'), { recursive: true });
    const foreign = await one.run(['pull', 'daily', '--out', files]);
    assert.equal(foreign.code, 2);
    assert.match(foreign.stderr, /has "daily", but no/);
  });

  it('is not opened for a key without scope, an unknown dataset or a wrong option', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const { apiKey } = await apps.newKey(brand.brandId, ['analytics.metrics:read']);
    const out = join(await newFolder(), 'none');
    const env = { BRANDPORT_API_KEY: apiKey };
    assert.equal((await brand.run(['pull', 'users', '--out', out], { env })).code, 4);
    const own = await brand.run(['pull', '--out', join(out, 'own'), '--json'], { env });
    assert.deepEqual(
      JSON.parse(own.stdout).map(({ dataset }: never) => dataset),
      ['daily', 'daily_by_market', 'contents'],
    );
    for (const args of [
      ['pull', 'user', '--out', out],
      ['pull'],
      ['pull', '--out', out, '--format', 'orc'],
      ['pull', '--out', out, '--verify', '--full'],
    ])
      assert.equal((await brand.run(args)).code, 2, args.join(' '));
  });

  it('of a target that was removed is refused, with what to use instead', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const out = join(await newFolder(), 'none');
    for (const [args, advice] of [
      [['--out', 'duckdb:x.db'], /use --out DIRECTORY, whose Parquet files DuckDB reads/],
      [['--out', 'mysql://u:secret@h/d'], /--out takes postgresql:\/\/ or a directory, not mysql:\/\/\.$/m],
      [['--out', out, '--format', 'duckdb'], /use --out DIRECTORY, whose Parquet files DuckDB reads/],
      [['--out', out, '--format', 'jsonl'], /use --format csv, or parquet/],
    ] as const) {
      const { code, stderr } = await brand.run(['pull', ...args]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, advice);
      assert.doesNotMatch(stderr, /secret/);
    }
    assert.equal(existsSync(out), false);
    const help = await brand.run(['pull', '--help']);
    assert.doesNotMatch(help.stdout, /duckdb|jsonl|relocate|erasure|sign-key/i);
  });

  it('that an earlier version filled with JSON Lines is refused, and not touched', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const out = await newFolder();
    assert.equal((await brand.run(['pull', 'daily', '--out', out])).code, 0);
    const path = join(out, '_brandport', 'state.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"parquet"', '"jsonl"'));
    const before = await fingerprintsOf(out);
    const { code, stderr } = await brand.run(['pull', 'daily', '--out', out]);
    assert.equal(code, 2);
    assert.match(stderr, /was filled with format jsonl, and this run has parquet: use another place/);
    assert.deepEqual(await fingerprintsOf(out), before);
  });
});
