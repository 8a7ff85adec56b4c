import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { testAdminToken } from '../../server/test/support/test-apps.ts';
import { cli, newHome, startCliService } from './cli-service.ts';

const { apps, clientUrl, internalUrl, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());

const profilesIn = (home: string) => join(home, '.config/brandport/profiles.json');

async function loggedIn() {
  const brand = await newCliBrand();
  const home = newHome();
  const outcome = await cli(['login', '--url', clientUrl], { home, input: `${brand.apiKey}\n` });
  return { brand, home, outcome };
}

/** Logs in with the keys of two brands, to the profiles `a` and `b`. */
async function logInTwice(home: string) {
  const brands = [await newCliBrand(), await newCliBrand()] as const;
  for (const [n, { apiKey }] of brands.entries())
    await cli(['login', '--profile', n === 0 ? 'a' : 'b', '--url', clientUrl], { home, input: apiKey });
  return brands;
}

describe('brandport login', () => {
  it('checks the key and stores it with its brand and scopes, for its owner alone', async () => {
    const { brand, home, outcome } = await loggedIn();
    assert.equal(outcome.code, 0, outcome.stderr);
    assert.ok(!`${outcome.stdout}${outcome.stderr}`.includes(brand.apiKey.slice(-30)));
    const file = profilesIn(home);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(file)).mode & 0o777, 0o700);
    const { default: name, profiles } = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(name, 'default');
    assert.equal(profiles.default.client.brand_id, brand.brandId);
    assert.ok(profiles.default.client.scopes.length > 0);
    assert.equal((await cli(['status', '--quiet'], { home })).stdout, `${brand.brandId}\n`);
  });

  it('stores nothing if the key is refused', async () => {
    const home = newHome();
    const input = `tuk_${'0'.repeat(24)}.${'b'.repeat(40)}`;
    const { code, stderr } = await cli(['login', '--url', clientUrl], { home, input });
    assert.equal(code, 4);
    assert.ok(!stderr.includes('bbbb'));
    assert.throws(() => statSync(profilesIn(home)), { code: 'ENOENT' });
  });

  it('adds the admin token to the same profile, and checks its brand', async () => {
    const { brand, home } = await loggedIn();
    const login = (...more: string[]) =>
      cli(['login', '--admin', '--url', internalUrl, ...more], { home, input: testAdminToken });
    assert.equal((await login('--brand', '999999')).code, 1);
    const { code, stderr } = await login('--brand', String(brand.brandId));
    assert.equal(code, 0, stderr);
    assert.ok(!stderr.includes(testAdminToken));
    const { stdout } = await cli(['whoami', '--json'], { home });
    const { client, admin } = JSON.parse(stdout);
    assert.deepEqual([client.brand_id, admin.brand_id], [brand.brandId, brand.brandId]);
    assert.equal((await cli(['keys', 'list', '--quiet'], { home })).stdout, `${brand.keyId}\n`);
  });

  for (const [name, args, input, message] of [
    ['an empty input', [], '\n', /There is no API key on standard input/],
    ['a file instead of a key', [], 'a b\nc', /The input is not one API key/],
    ['an address with credentials', ['--url', 'https://a:b@x.test'], 'k', /must not contain credentials/],
    ['another protocol', ['--url', 'ftp://x.test'], 'k', /is not an http or https address/],
    ['a name that is none', ['--profile', '../x'], 'k', /is not the name of a profile/],
    ['a brand for a key', ['--brand', '1'], 'k', /--brand needs --admin/],
  ] as const)
    it(`refuses ${name}`, async () => {
      const { code, stderr } = await cli(['login', '--url', clientUrl, ...args], { input });
      assert.deepEqual([code, message.test(stderr)], [2, true], stderr);
    });

  it('warns of an address that is not encrypted', async () => {
    // Nothing listens there; the documentation's network is never routed.
    const { stderr } = await cli(['login', '--url', 'http://a..invalid'], { input: 'key' });
    assert.match(stderr, /^warning: http:\/\/a\.\.invalid is not encrypted/);
  });
});

describe('a key in the command line', () => {
  for (const args of [
    ['login', '--url', 'http://127.0.0.1:1', '{key}'],
    ['login', '--key={key}'],
    ['{key}'],
    ['keys', 'revoke', '{key}'],
  ])
    it(`is refused without repeating it: ${args.join(' ')}`, async () => {
      const { apiKey } = await newCliBrand();
      const { code, stdout, stderr } = await cli(args.map((arg) => arg.replace('{key}', apiKey)));
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^error: a key or token is in the command line/);
      assert.ok(!stderr.includes(apiKey.slice(5, 20)));
    });
});

describe('the file of profiles', () => {
  for (const mode of [0o644, 0o640, 0o604])
    it(`is refused with mode 0${mode.toString(8)}`, async () => {
      const { home } = await loggedIn();
      chmodSync(profilesIn(home), mode);
      const { code, stdout, stderr } = await cli(['status'], { home });
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /holds secrets, and others can read it \(mode 06\d\d\)\. Run: chmod 600 /);
    });

  it('is refused when it is damaged, and login does not replace it', async () => {
    const { brand, home } = await loggedIn();
    writeFileSync(profilesIn(home), '{"profiles"');
    for (const args of [['status'], ['login', '--url', clientUrl]]) {
      const { code, stderr } = await cli(args, { home, input: brand.apiKey });
      assert.equal(code, 1);
      assert.match(stderr, /is damaged\. Remove it and log in again/);
    }
    assert.equal(readFileSync(profilesIn(home), 'utf8'), '{"profiles"');
  });

  it('is at XDG_CONFIG_HOME if that is absolute', async () => {
    const brand = await newCliBrand();
    const [home, config] = [newHome(), newHome()];
    const env = { XDG_CONFIG_HOME: config };
    await cli(['login', '--url', clientUrl], { home, env, input: brand.apiKey });
    assert.equal(statSync(join(config, 'brandport/profiles.json')).mode & 0o777, 0o600);
    assert.equal((await cli(['status'], { home })).code, 2);
    mkdirSync(join(home, 'x'));
    assert.equal((await cli(['status'], { home, env: { XDG_CONFIG_HOME: 'x' } })).code, 2);
  });
});

describe('the precedence of profiles [D144]', () => {
  it('is --profile, the environment, BRANDPORT_PROFILE, the default profile', async () => {
    const home = newHome();
    const [[a, b], c] = [await logInTwice(home), await newCliBrand()];
    const key = { BRANDPORT_URL: clientUrl, BRANDPORT_API_KEY: c.apiKey };
    const named = { BRANDPORT_PROFILE: 'a' };
    for (const [args, env, brand, source] of [
      [[], {}, a, 'the default profile'],
      [[], named, a, 'BRANDPORT_PROFILE'],
      [[], { ...named, ...key }, c, 'BRANDPORT_URL and BRANDPORT_API_KEY'],
      [['--profile', 'b'], { ...named, ...key }, b, '--profile'],
    ] as const) {
      const { code, stdout, stderr } = await cli(['whoami', '--json', ...args], { home, env });
      assert.equal(code, 0, stderr);
      const { client } = JSON.parse(stdout);
      assert.deepEqual([client.brand_id, client.source], [brand.brandId, source]);
    }
  });

  it('is said when the environment replaces BRANDPORT_PROFILE', async () => {
    const { home } = await loggedIn();
    const brand = await newCliBrand();
    const { stderr } = await brand.cli(['status'], { home, env: { BRANDPORT_PROFILE: 'default' } });
    assert.equal(stderr, 'BRANDPORT_API_KEY takes precedence over BRANDPORT_PROFILE=default.\n');
  });

  it('names what is missing', async () => {
    const { home } = await loggedIn();
    for (const [args, env, message] of [
      [['status', '--profile', 'none'], {}, /There is no profile 'none'/],
      [['status'], { BRANDPORT_PROFILE: 'constructor' }, /There is no profile 'constructor'/],
      [['brands', 'list'], {}, /The profile 'default' has no admin token\. Run: brandport login --admin/],
    ] as const) {
      const { code, stderr } = await cli(args, { home, env });
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });
});

describe('brandport profiles and logout', () => {
  it('list, choose and remove profiles, without secrets', async () => {
    const home = newHome();
    const [a, b] = await logInTwice(home);
    const { stdout } = await cli(['profiles', '--json'], { home });
    assert.ok(!stdout.includes(a.apiKey.slice(-20)));
    assert.deepEqual(
      JSON.parse(stdout).map(({ name, is_default }: Record<string, unknown>) => [name, is_default]),
      [
        ['a', true],
        ['b', false],
      ],
    );
    assert.equal((await cli(['profiles', 'use', 'b'], { home })).code, 0);
    assert.equal((await cli(['status', '--quiet'], { home })).stdout, `${b.brandId}\n`);
    assert.equal((await cli(['logout'], { home })).code, 0);
    assert.equal((await cli(['status'], { home })).code, 2);
    assert.equal((await cli(['profiles', '--quiet'], { home })).stdout, 'a\n');
    assert.equal((await cli(['logout', '--profile', 'b'], { home })).code, 2);
    assert.equal((await cli(['profiles', 'use', 'b'], { home })).code, 2);
  });
});
