import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { cli, newHome, startCliService } from './cli-service.ts';

const { apps, clientUrl, internalUrl, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());

describe('a command of an earlier version', () => {
  for (const [args, became] of [
    [['refusals'], 'requests list'],
    [['keys', 'leak', 'x'], 'keys revoke KEY_ID'],
    [['stock', 'changes'], 'changes --stock'],
    [['key', 'create'], 'keys create --database'],
    [['brand', 'create', 'x'], 'brands create --database'],
    [['feed', 'send', 'x.csv'], 'feeds send'],
    [['feed-tokens'], 'feeds tokens'],
    [['request', 'x'], 'requests show ID'],
  ] as const)
    it(`says what to use instead: ${args.join(' ')}`, async () => {
      const { code, stderr } = await cli(args);
      assert.match(stderr, /^error: 'brandport [a-z -]+' is gone: /);
      assert.ok(stderr.includes(`\`${became}`), stderr);
      assert.equal(code, 2);
    });
});

describe('a mistake', () => {
  it('in --sort is refused, with the nearest field', async () => {
    const brand = await newCliBrand();
    for (const [sort, hint] of [
      ['nonsense', ''],
      ['sku,-update_at', " Did you mean 'updated_at'?"],
    ] as const) {
      const { code, stdout, stderr } = await brand.cli(['products', 'list', '--sort', sort]);
      const field = sort.split('-').at(-1);
      assert.deepEqual([code, stdout], [2, '']);
      assert.equal(
        stderr,
        `error: '${field}' is not a field for --sort: sku, created_at, updated_at.${hint}\n`,
      );
    }
    for (const sort of ['sku', '-updated_at, sku'])
      assert.equal((await brand.cli(['products', 'list', '--sort', sort])).code, 0);
  });

  it('in the name of a command is answered with a near name, or none', async () => {
    assert.match((await cli(['nonsense'])).stderr, /^error: unknown command 'nonsense'\. 'brandport --help'/);
    assert.match((await cli(['prodcuts'])).stderr, /The nearest is 'brandport products'\./);
    for (const args of [
      ['keys', 'creat', '--help'],
      ['keys', 'creat'],
      ['help', 'keyss'],
      ['limits', 'rest'],
      ['feeds', 'tokens', 'lst'],
    ]) {
      const { code, stdout, stderr } = await cli(args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(
        stderr,
        /^error: unknown command '\w+'\. The nearest is 'brandport (keys create|keys|limits reset|feeds tokens list)'\. /,
      );
    }
    for (const args of [
      ['help'],
      ['help', 'keys'],
      ['keys', 'create', '--help'],
      ['feeds', 'tokens', '--help'],
    ])
      assert.equal((await cli(args)).code, 0, args.join(' '));
  });

  it('in the address of a login is explained', async () => {
    const { apiKey } = await newCliBrand();
    const { code, stderr } = await cli(['login', '--url', internalUrl], { input: apiKey });
    assert.equal(code, 1);
    assert.match(stderr, /has no API for keys\. It may be the internal address/);
  });

  it('in an address is named: the client adds the paths of the operations', async () => {
    const { apiKey } = await newCliBrand();
    const message = 'must be the address of the service, without';
    for (const [args, env, expected] of [
      [
        ['status'],
        { BRANDPORT_URL: `${clientUrl}/v1/client/`, BRANDPORT_API_KEY: apiKey },
        `BRANDPORT_URL ${message} /v1/client.`,
      ],
      [
        ['status'],
        { BRANDPORT_URL: `${clientUrl}/v1`, BRANDPORT_API_KEY: apiKey },
        `BRANDPORT_URL ${message} /v1.`,
      ],
      [
        ['status'],
        { BRANDPORT_URL: 'localhost:8080', BRANDPORT_API_KEY: apiKey },
        'BRANDPORT_URL is not an http or https address, such as https://brandport.example.com.',
      ],
      [
        ['brands', 'list'],
        { BRANDPORT_INTERNAL_URL: `${internalUrl}/internal/v1`, BRANDPORT_ADMIN_TOKEN: 'token' },
        `BRANDPORT_INTERNAL_URL ${message} /internal/v1.`,
      ],
      [['login', '--url', `${clientUrl}/v1/client`], {}, `--url ${message} /v1/client.`],
    ] as const) {
      const { code, stderr } = await cli(args, { env, input: apiKey });
      assert.deepEqual([code, stderr], [2, `error: ${expected}\n`]);
    }
  });

  it('is described by a page with an absolute address', async () => {
    const brand = await newCliBrand();
    const { stderr } = await brand.cli(['products', 'list', '--updated-since', 'yesterday']);
    assert.match(stderr, /updated_since: /);
    assert.ok(stderr.includes(`\n  ${clientUrl}/docs/guides/errors/validation_failed`), stderr);
  });

  it('in JSON lines of products says how variants are given', async () => {
    const brand = await newCliBrand();
    const path = join(newHome(), 'p.jsonl');
    writeFileSync(path, '{"sku":"CAP","title":"Cap","variants":[{"sku":"CAP-S"}]}\n');
    const { code, stderr } = await brand.cli(['sync', '--dry-run', path]);
    assert.equal(code, 3);
    assert.match(
      stderr,
      /variants \[\{"sku":"CAP-S"\}\] is not "all"; other variants are rows with product_sku/,
    );
  });

  it('in the name of a column is answered with a near one, or with --ignore', async () => {
    const brand = await newCliBrand();
    const path = join(newHome(), 'p.csv');
    writeFileSync(path, 'sku,price,titel,colour\nCAP,1,Cap,red\n');
    const { code, stderr } = await brand.cli(['sync', '--dry-run', path]);
    assert.equal(code, 3);
    assert.match(stderr, /the column "price" is not known; did you mean "price_value"\?/);
    assert.match(stderr, /the column "titel" is not known; did you mean "title"\?/);
    assert.match(stderr, /the column "colour" is not known; --ignore leaves it alone/);
  });

  it('in the file of a feed is named: no header, no file, a directory', async () => {
    const brand = await newCliBrand();
    const folder = newHome();
    writeFileSync(join(folder, 'bare.csv'), 'SK1,__default__,3\n');
    writeFileSync(join(folder, 'head.csv'), 'sku,location_code,quantity\n');
    mkdirSync(join(folder, 'dir.csv'));
    for (const command of ['lint', 'send'])
      for (const [name, message] of [
        [
          'bare.csv',
          /bare\.csv: the columns sku, quantity, location_code are missing\. .+ it has SK1, __default__, 3\./,
        ],
        ['head.csv', /head\.csv: it has no rows/],
        ['none.csv', /none\.csv does not exist\./],
        ['dir.csv', /dir\.csv is a directory\./],
      ] as const) {
        const { code, stdout, stderr } = await brand.cli(['feeds', command, join(folder, name)]);
        assert.equal(code, 3);
        assert.match(stdout + stderr, message);
        assert.doesNotMatch(stdout + stderr, /ENOENT|EISDIR/);
      }
  });
});

describe('--json', () => {
  it('writes errors as JSON: of the service, of the input, of the command line', async () => {
    const brand = await newCliBrand();
    const error = async (...args: string[]) => {
      const { code, stdout, stderr } = await brand.cli([...args, '--json']);
      assert.equal(stdout, '');
      const { error: described } = JSON.parse(stderr);
      assert.equal(described.exit_code, code);
      return described;
    };
    const refused = await error('products', 'list', '--updated-since', 'yesterday');
    assert.deepEqual(
      [refused.code, refused.status, refused.exit_code, Object.keys(refused.errors)],
      ['validation_failed', 422, 3, ['updated_since']],
    );
    assert.match(refused.request_id, /./);
    assert.ok(refused.doc_url.startsWith(clientUrl));
    assert.match((await error('sync', '--dry-run', 'none.csv')).message, /^none\.csv does not exist/);
    assert.equal((await error('products', 'list', '--sort', 'x')).exit_code, 2);
    assert.match((await error('products', 'list', '--nonsense')).message, /unknown option '--nonsense'/);
    assert.match((await error('nonsense')).message, /unknown command 'nonsense'/);
  });

  it('has names in one case in a sync', async () => {
    const brand = await newCliBrand();
    const path = join(newHome(), 'p.csv');
    writeFileSync(path, 'sku,title,price_value\nCAP,Cap,19.5\n');
    const { stdout } = await brand.cli(['sync', path, '--yes', '--json']);
    assert.doesNotMatch(stdout, /"[a-z]+[A-Z][A-Za-z]*":/);
    const { counts, is_empty: isEmpty, result } = JSON.parse(stdout);
    assert.deepEqual([counts.create, counts.create_variants, isEmpty], [1, 0, false]);
    assert.equal(result.is_complete, true);
  });
});

describe('brandport whoami', () => {
  it('repeats no word in a label', async () => {
    const brand = await newCliBrand();
    const { stdout } = await brand.cli(['whoami']);
    assert.match(stdout, new RegExp(`^key id +${brand.keyId}$`, 'm'));
    assert.doesNotMatch(stdout, /key key/);
  });
});
