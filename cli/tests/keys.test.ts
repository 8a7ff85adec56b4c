import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type CliBrand, startCliService } from './cli-service.ts';

const { apps, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());

const brandOf = ({ brandId }: CliBrand) => ['--brand', String(brandId)];

describe('brandport keys', () => {
  it('issues a key that works, and prints it alone with --quiet', async () => {
    const brand = await newCliBrand();
    const args = ['keys', 'create', ...brandOf(brand), '--name', 'PIM', '--scopes', 'catalog.products:read'];
    const issued = await brand.json(...args);
    assert.deepEqual(issued.scopes, ['catalog.products:read']);
    const { stdout, stderr } = await brand.cli([...args, '--quiet']);
    assert.match(stdout, /^tuk_[0-9a-f]{24}\.\w{40}\n$/);
    assert.ok(!stderr.includes(stdout.trim().slice(-20)));
    assert.equal((await brand.cli(['status'], { env: { BRANDPORT_API_KEY: stdout.trim() } })).code, 0);
    const states = await brand.json('keys', 'list', ...brandOf(brand), '--state', 'active');
    assert.equal(states.length, 3);
  });

  it('rotates and revokes a key only when that is confirmed', async () => {
    const brand = await newCliBrand();
    for (const command of ['rotate', 'revoke']) {
      const { code, stdout, stderr } = await brand.cli(['keys', command, brand.keyId]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /Nobody can answer here: add --yes\./);
    }
    const successor = await brand.json('keys', 'rotate', brand.keyId, '--yes');
    assert.equal(successor.rotated_from_key_id, brand.keyId);
    assert.equal((await brand.cli(['status'])).code, 4);
    const revoked = await brand.json('keys', 'revoke', successor.key_id, '--yes');
    assert.notEqual(revoked.revoked_at, null);
    assert.equal(
      (await brand.cli(['keys', 'list', ...brandOf(brand), '--state', 'revoked', '--quiet'])).stdout.split(
        '\n',
      ).length,
      3,
    );
  });

  it('lists the requests of a key and of all keys of the brand', async () => {
    const brand = await newCliBrand();
    await brand.brandport.catalog.status();
    await apps.keyUsage.flush();
    for (const args of [[brand.keyId], brandOf(brand)]) {
      const rows = await brand.json('keys', 'usage', ...args, '--step', 'hour');
      assert.deepEqual(
        rows.map(({ operation, requests }: Record<string, unknown>) => [operation, requests]),
        [['getCatalogStatus', 1]],
      );
    }
  });

  for (const [name, args, message] of [
    [
      'a scope that is none',
      ['create', '--brand', '1', '--name', 'x', '--scopes', 'all,x'],
      /There is no scope 'all'\. Scopes: all, /,
    ],
    ['a key id that is none', ['revoke', '../brands'], /is not the id of a key/],
    ['a missing brand', ['list'], /Name the brand: --brand <id>/],
    [
      'a state that is none',
      ['list', '--brand', '1', '--state', 'old'],
      /'--state <state>' argument 'old' is invalid. Allowed choices are active, expired, revoked/,
    ],
    [
      'a step that is none',
      ['usage', '--brand', '1', '--step', 'week'],
      /'--step <step>' argument 'week' is invalid/,
    ],
  ] as const)
    it(`refuses ${name}`, async () => {
      const { code, stderr } = await (await newCliBrand()).cli(['keys', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    });
});
