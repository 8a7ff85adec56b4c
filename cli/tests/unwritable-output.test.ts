// nightly: both programs with outputs that cannot be written
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '../../server/test/support/fresh-database.ts';
import { runCommand } from '../../server/test/support/run-command.ts';
import { makeDataDir } from '../../server/test/support/server-process.ts';
import { databaseUrl } from '../../server/test/support/test-database.ts';
import { newHome, startCliService } from './cli-service.ts';

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const programs = { cli: file('cli/bin/brandport.js'), tap: file('cli/bin/tap-brandport.js') };
const { newCliBrand } = await startCliService();
const brand = await newCliBrand();
const { json: product } = await brand.client.create('/catalog/products', { sku: 'OUT-1' });

const env = { PATH: process.env['PATH'] as string, HOME: newHome(), ...brand.env };

interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

async function withOutput({ program, args, env: own }: Run, stdout: number | 'pipe') {
  const child = spawn(process.execPath, [program, ...args], { env: own, stdio: ['ignore', stdout, 'pipe'] });
  // The reader leaves before the first byte.
  child.stdout?.destroy();
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code, stderr };
}

async function onFullDisk(run: Run) {
  const full = openSync('/dev/full', 'w');
  return withOutput(run, full).finally(() => closeSync(full));
}

const brandId = String(brand.brandId);
const commands: readonly (readonly string[])[] = [
  ['--help'],
  ['--version'],
  ['products', '--help'],
  ['status'],
  ['status', '--json'],
  ['products', 'export'],
  ['products', 'get', product.tu_id, '--quiet'],
  ['stock', 'get', 'OUT-1', '--json'],
  ['sync', 'columns'],
  ['feeds', 'list', '--brand', brandId],
  ['brands', 'list'],
  ['keys', 'list', '--brand', brandId],
  ['jobs', 'list'],
  ['audit', '--brand', brandId],
  ['overview'],
  ['requests', 'list', '--brand', brandId],
  ['learners', '--help'],
  ['completion', 'bash'],
];

describe('an output that cannot be written', { concurrency: 4 }, () => {
  for (const args of commands)
    it(`is reported by brandport ${args[0]} ${args[1] ?? ''}, with code 1; a reader that leaves is not`, async () => {
      const run = { program: programs.cli, args, env };
      const { code, stderr } = await onFullDisk(run);
      assert.match(stderr, /Standard output cannot be written: .*ENOSPC.*\. The output is not complete\./);
      assert.equal(code, 1, stderr);
      const left = await withOutput(run, 'pipe');
      assert.doesNotMatch(left.stderr, /written|EPIPE/);
      assert.equal(left.code, 0, left.stderr);
    });

  it('is reported by the tap', async () => {
    for (const args of [['--discover'], []]) {
      const { code, stderr } = await onFullDisk({ program: programs.tap, args, env });
      assert.match(stderr, /Standard output cannot be written/);
      assert.equal(code, 1);
    }
  });

  // [D300]
  it('is reported by the commands of the server', async () => {
    const settings = {
      PATH: process.env['PATH'] as string,
      DATABASE_URL: databaseUrl(await createDatabase()),
      BRANDPORT_DATA_DIR: join(await makeDataDir(), 'data'),
    };
    const { code, stderr } = await runCommand(settings, 'migrate');
    assert.equal(code, 0, stderr);
    const backup = join(await makeDataDir(), 'backup.tar');
    for (const args of [
      ['--help'],
      ['--version'],
      ['backup', backup],
      ['doctor'],
      ['doctor', '--json'],
      ['retain'],
      ['aggregate'],
      ['after-recovery'],
      ['brands', 'create', 'Full'],
    ]) {
      const failed = await onFullDisk({ program: file('server/src/main.ts'), args, env: settings });
      assert.match(failed.stderr, /Standard output cannot be written: .*ENOSPC/, args.join(' '));
      assert.equal(failed.code, 1, args.join(' '));
    }
    const args = ['keys', 'create', '--brand', '1', '--scopes', 'all'];
    const run = { program: file('server/src/main.ts'), args, env: settings };
    assert.match(
      (await onFullDisk(run)).stderr,
      /The key (tuk_\w{24}) was issued, and nobody has its secret: revoke it with `brandport keys revoke \1`/,
    );
    const nobody = await withOutput(run, 'pipe');
    assert.match(nobody.stderr, /The reader of standard output has gone\. The key tuk_/);
    assert.equal(nobody.code, 1);
  });
});

describe('a secret that is shown once', () => {
  const keyId = brand.apiKey.split('.')[0] as string;
  const issuing: readonly (readonly string[])[] = [
    ['keys', 'create', '--brand', brandId, '--name', 'k', '--scopes', 'all'],
    ['keys', 'handover', keyId, '--yes'],
    ['feeds', 'tokens', 'create', '--brand', brandId, '--name', 't'],
    ['keys', 'rotate', keyId, '--yes', '--quiet'],
  ];
  const keysNow = async () => (await brand.json('keys', 'list', '--brand', brandId)).length;

  for (const args of issuing)
    it(`and cannot be written is named with what to do: ${args.slice(0, 2).join(' ')}`, async () => {
      const run = { program: programs.cli, args, env };
      const before = await keysNow();
      const nothing = openSync('/dev/null', 'w');
      const refused = await withOutput(run, nothing).finally(() => closeSync(nothing));
      assert.match(
        refused.stderr,
        /closed or \/dev\/null: the secret, .* would be lost\. Nothing was changed/,
      );
      assert.equal(refused.code, 2);
      assert.equal(await keysNow(), before);
      const { code, stderr } = await onFullDisk(run);
      assert.match(stderr, /cannot be written/);
      assert.match(stderr, /(keys revoke tuk_\w{24}|feeds tokens delete \d+)`/);
      assert.equal(code, 1);
    });

  it('is refused before it is issued when the output is closed', async () => {
    const line = `exec "$0" "$1" keys create --brand ${brandId} --name k --scopes all >&-`;
    const child = spawn('sh', ['-c', line, process.execPath, programs.cli], { env, stdio: 'ignore' });
    const [code] = await once(child, 'close');
    assert.equal(code, 2);
  });
});
