import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { testAdminToken } from '../../server/test/support/test-apps.ts';
import { type CliBrand, cli, newHome, startCliService } from './cli-service.ts';

const { apps, clientUrl, internalUrl, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());

const login = (home: string, brand: CliBrand, ...more: string[]) =>
  cli(['login', '--url', clientUrl, ...more], { home, input: brand.apiKey });

const host = new URL(clientUrl).host;
const internalHost = new URL(internalUrl).host;

describe('a second login [D144]', () => {
  it('leaves the default as it is, and says so', async () => {
    const [home, a, b] = [newHome(), await newCliBrand(), await newCliBrand()];
    const first = await login(home, a, '--profile', 'a');
    assert.match(first.stdout, /^is_default +yes$/m);
    assert.equal(first.stderr, '');
    const second = await login(home, b, '--profile', 'b');
    assert.match(second.stdout, /^is_default +no$/m);
    assert.match(second.stderr, /^note: the default profile is still 'a'\. Use --profile b, or .+ use b\.$/m);
    assert.equal((await cli(['status', '--quiet'], { home })).stdout, `${a.brandId}\n`);
    assert.equal((await cli(['status', '--quiet', '--profile', 'b'], { home })).stdout, `${b.brandId}\n`);
  });

  it('changes the default with --default', async () => {
    const [home, a, b] = [newHome(), await newCliBrand(), await newCliBrand()];
    await login(home, a, '--profile', 'a');
    const { stderr } = await login(home, b, '--profile', 'b', '--default');
    assert.equal(stderr, '');
    assert.equal((await cli(['status', '--quiet'], { home })).stdout, `${b.brandId}\n`);
  });

  it('does not take the place of a default that was removed', async () => {
    const [home, a, b] = [newHome(), await newCliBrand(), await newCliBrand()];
    await login(home, a, '--profile', 'a');
    await login(home, b, '--profile', 'b');
    await cli(['logout', '--profile', 'a'], { home });
    assert.match((await login(home, b, '--profile', 'c')).stderr, /the default profile is not set/);
    const { code, stderr } = await cli(['stock', 'set', 'CAP', '1'], { home });
    assert.equal(code, 2);
    assert.match(stderr, /^error: There is no default profile\. .+ Profiles: b, c\.$/m);
  });
});

describe('one variable without the other', () => {
  for (const [set, other, args] of [
    ['BRANDPORT_URL', 'BRANDPORT_API_KEY', ['stock', 'set', 'CAP', '1']],
    ['BRANDPORT_API_KEY', 'BRANDPORT_URL', ['stock', 'set', 'CAP', '1']],
    ['BRANDPORT_API_KEY', 'BRANDPORT_URL', ['whoami']],
    ['BRANDPORT_INTERNAL_URL', 'BRANDPORT_ADMIN_TOKEN', ['brands', 'create', 'x']],
    ['BRANDPORT_ADMIN_TOKEN', 'BRANDPORT_INTERNAL_URL', ['whoami']],
  ] as const)
    it(`is refused: ${set} and ${args.join(' ')}`, async () => {
      const [home, brand] = [newHome(), await newCliBrand()];
      await login(home, brand);
      const env = { [set]: brand.env[set] ?? '', BRANDPORT_PROFILE: 'default' };
      const { code, stdout, stderr } = await cli(args, { home, env });
      assert.deepEqual([code, stdout], [2, '']);
      assert.equal(
        stderr,
        `error: ${set} is set, but ${other} is not. Set both, or unset ${set} to use a profile.\n`,
      );
    });

  it('does not matter with --profile, or when it is empty', async () => {
    const [home, brand] = [newHome(), await newCliBrand()];
    await login(home, brand);
    const staging = { BRANDPORT_URL: 'http://staging.invalid' };
    assert.equal((await cli(['status', '--profile', 'default'], { home, env: staging })).code, 0);
    assert.equal((await cli(['status'], { home, env: { BRANDPORT_URL: '' } })).code, 0);
  });
});

describe('a key of the environment with a character that no key has', () => {
  it('is refused with the variable and the place of the character, without the key', async () => {
    for (const [secret, character, at] of [
      ['tuk_aé', '00E9', 6],
      ['tuk_a\n', '000A', 6],
      ['\u200btuk_a', '200B', 1],
    ] as const) {
      const env = { BRANDPORT_URL: 'http://127.0.0.1:9', BRANDPORT_API_KEY: secret };
      const { code, stderr } = await cli(['status'], { env });
      assert.equal(
        stderr,
        `error: BRANDPORT_API_KEY has the character U+${character} at position ${at}: keys and tokens are visible ASCII. Copy it again.\n`,
      );
      assert.equal(code, 2);
    }
  });
});

describe('a command that writes with a key', () => {
  const commands = (folder: string) => {
    writeFileSync(join(folder, 'stock.csv'), 'sku,location_code,quantity\nCAP,__default__,3\n');
    return [
      ['stock', 'set', 'CAP', '1'],
      ['feeds', 'send', join(folder, 'stock.csv')],
      ['feeds', 'resend', join(folder, 'stock.csv')],
      ['sync', '--yes', join(folder, 'p.csv')],
    ];
  };

  it('names profile, host and brand first, and refuses another --brand', async () => {
    const [home, brand, folder] = [newHome(), await newCliBrand(), newHome()];
    await brand.brandport.catalog.products.create({ sku: 'CAP', title: 'Cap', price_value: 1 });
    const products = join(folder, 'p.csv');
    writeFileSync(products, 'sku,title\nHAT,Hat\n');
    await login(home, brand);
    for (const command of commands(folder))
      for (const [by, options] of [
        ['profile default', { home }],
        ['the environment (BRANDPORT_URL and BRANDPORT_API_KEY)', { env: brand.env }],
      ] as const) {
        const refused = await cli([...command, '--brand', '999999'], options);
        assert.equal(refused.code, 2, command.join(' '));
        assert.equal(
          refused.stderr,
          `error: --brand names the brand 999999, but this is the brand ${brand.brandId}. Nothing was written.\n`,
        );
        // It would wait until the feed is decided.
        if (command[1] === 'resend') continue;
        const line = `Writing as ${by}, ${host}, brand ${brand.brandId}.`;
        const done = await cli([...command, '--brand', String(brand.brandId)], options);
        assert.deepEqual([done.code, done.stderr.split('\n')[0]], [0, line], done.stderr);
      }
  });
});

describe('a command that writes with the admin token', () => {
  it('names the host and the brand that it writes to, not that of the profile', async () => {
    const [home, mine, other] = [newHome(), await newCliBrand(), await newCliBrand()];
    const loginArgs = ['login', '--admin', '--url', internalUrl, '--brand', String(mine.brandId)];
    assert.equal((await cli(loginArgs, { home, input: testAdminToken })).code, 0);
    const write = async (...args: string[]) =>
      (await cli([...args, '--yes'], { home })).stderr.split('\n')[0];
    const to = (brand: string) => `Writing as profile default, ${internalHost}${brand}.`;
    const token = ['feeds', 'tokens', 'create', '--name', 'T'];
    assert.equal(await write(...token), to(`, brand ${mine.brandId}`));
    assert.equal(await write(...token, '--brand', String(other.brandId)), to(`, brand ${other.brandId}`));
    assert.equal(await write('keys', 'rotate', other.keyId), to(`, brand ${other.brandId}`));
    assert.equal(await write('brands', 'create', 'New'), to(''));
    const opted = await write('learners', 'opt-out', 'x'.repeat(21), '--brand', String(other.brandId));
    assert.equal(opted, to(`, brand ${other.brandId}`));
  });

  it('refuses a key, a token or a job of another brand than --brand', async () => {
    const [brand, other] = [await newCliBrand(), await newCliBrand()];
    const create = ['feeds', 'tokens', 'create', '--name', 'T', '--brand', String(brand.brandId)];
    const token = await brand.json(...create);
    for (const args of [
      ['keys', 'revoke', brand.keyId],
      ['keys', 'rotate', brand.keyId],
      ['keys', 'handover', brand.keyId],
      ['feeds', 'tokens', 'delete', String(token.id)],
      ['limits', 'set', '--key', brand.keyId, '--catalog-writes', '50'],
      ['limits', 'reset', '--key', brand.keyId],
    ]) {
      const { code, stderr } = await brand.cli([...args, '--yes', '--brand', String(other.brandId)]);
      assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
      assert.doesNotMatch(stderr, /Writing as/);
    }
    assert.equal((await brand.json('keys', 'list', '--brand', String(brand.brandId))).length, 1);
    const kept = await brand.cli([
      ...['feeds', 'tokens', 'delete', String(token.id), '--yes'],
      ...['--brand', String(brand.brandId)],
    ]);
    assert.equal(kept.code, 0, kept.stderr);
  });
});
