import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { scopes } from '../../server/src/api/access.ts';
import { cli, startCliService } from './cli-service.ts';

const { apps, clientUrl, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());

describe('brandport status [D145]', () => {
  it('shows brand, scopes, limits and days as JSON', async () => {
    const brand = await newCliBrand();
    const { code, stdout, stderr } = await brand.cli(['status', '--json']);
    assert.deepEqual([code, stderr], [0, '']);
    const { brand_id, scopes, limits, datasets } = JSON.parse(stdout);
    assert.equal(brand_id, brand.brandId);
    assert.ok(scopes.includes('catalog.products:read'));
    assert.deepEqual(Object.keys(limits), ['catalog', 'analytics']);
    assert.equal(datasets.daily.latest_date, null);
  });

  it('lists why requests of the key were refused', async () => {
    const brand = await newCliBrand();
    await brand.client.post(
      '/catalog/products',
      { title: 1 },
      { 'x-request-id': 'nightly-7', 'idempotency-key': 'n' },
    );
    await apps.keyUsage.flush();
    const { code, stdout, stderr } = await brand.cli(['status', '--refusals']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^at +request +status +code +fields +count +request id$/m);
    assert.match(
      stdout,
      /POST \/v1\/client\/catalog\/products +422 +validation_failed +.*sku.* +1 +nightly-7$/m,
    );
    assert.equal((await brand.cli(['status', '--refusals', '--quiet'])).stdout, 'nightly-7\n');
    const { refusals, brand_id } = await brand.json('status', '--refusals');
    assert.deepEqual([brand_id, refusals[0].request_id], [brand.brandId, 'nightly-7']);
  });

  it('shows lines without JSON, and the brand alone with --quiet', async () => {
    const brand = await newCliBrand();
    const { stdout } = await brand.cli(['status']);
    assert.match(stdout, new RegExp(`^brand +${brand.brandId}$`, 'm'));
    assert.match(stdout, /^daily days +-$/m);
    assert.match(stdout, /^daily_by_market days +-$/m);
    assert.match(stdout, /^catalog limits +(any number of|\d+) reads, (any number of|\d+) writes a minute$/m);
    assert.match(stdout, /^scopes +all$/m);
    const { apiKey } = await apps.newKey(brand.brandId, scopes.slice(1));
    const some = await brand.cli(['status'], { env: { BRANDPORT_API_KEY: apiKey } });
    assert.ok(some.stdout.split('\n').every((line) => line.length <= 100));
    assert.equal(some.stdout.match(/[a-z]+\.[a-z]+:[a-z]+/g)?.length, scopes.length - 1);
    assert.equal((await brand.cli(['--quiet', 'status'])).stdout, `${brand.brandId}\n`);
  });

  it('exits with 4 for a key that is refused, and names the request but not the key', async () => {
    const apiKey = `tuk_${'0'.repeat(24)}.${'a'.repeat(40)}`;
    const env = { BRANDPORT_URL: clientUrl, BRANDPORT_API_KEY: apiKey };
    const { code, stdout, stderr } = await cli(['status'], { env });
    assert.deepEqual([code, stdout], [4, '']);
    assert.match(stderr, /^error: .* \(unauthenticated\)$/m);
    assert.match(stderr, /^ {2}request \S+$/m);
    assert.ok(!stderr.includes(apiKey.slice(30)));
  });
});

describe('brandport overview', () => {
  it('shows the state of the service, as JSON and as lines', async () => {
    const brand = await newCliBrand();
    const { version, feeds, analytics } = await brand.json('overview');
    assert.match(version, /^\d+\.\d+/);
    assert.deepEqual([feeds.failed_24h, analytics], [0, 'available']);
    const { code, stdout } = await brand.cli(['overview']);
    assert.equal(code, 0);
    assert.match(stdout, /^lines that wait +0$/m);
    assert.match(stdout, /^last nightly run +-$/m);
  });
});

describe('brandport whoami', () => {
  it('says which key is used, and where it comes from', async () => {
    const brand = await newCliBrand();
    const { code, stdout } = await brand.cli(['whoami', '--json']);
    assert.equal(code, 0);
    const { client, admin } = JSON.parse(stdout);
    assert.equal(client.brand_id, brand.brandId);
    assert.deepEqual([client.profile, client.source], [null, 'BRANDPORT_URL and BRANDPORT_API_KEY']);
    assert.equal(admin.source, 'BRANDPORT_INTERNAL_URL and BRANDPORT_ADMIN_TOKEN');
    assert.ok(!stdout.includes(brand.apiKey.slice(-20)));
  });
});
