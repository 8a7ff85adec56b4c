import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type CliBrand, startCliService } from './cli-service.ts';

const { apps, clientUrl, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());

/** Pretends that the last use of a key was some hours ago. */
async function moveLastUse({ keyId }: CliBrand, hours: number): Promise<void> {
  await apps.keyUsage.flush();
  const update = `update api_keys set last_used_at = now() - make_interval(hours => $2) where key_id = $1`;
  await apps.sql(update, [keyId, hours]);
}

/** Uses a key, and records the use. */
async function use({ brandport }: Pick<CliBrand, 'brandport'>): Promise<void> {
  await brandport.catalog.status();
  await apps.keyUsage.flush();
}

describe('brandport keys handover', () => {
  it('issues a key of the same lineage, waits for silence, and revokes the old key', async () => {
    const brand = await newCliBrand();
    const run = (...more: string[]) => brand.cli(['keys', 'handover', brand.keyId, ...more]);

    const unconfirmed = await run();
    assert.equal(unconfirmed.code, 2);
    const issued = await run('--yes', '--json');
    assert.equal(issued.code, 5, issued.stderr);
    const key = JSON.parse(issued.stdout);
    assert.equal(key.replaces_key_id, brand.keyId);
    const newKey = brand.connect({ apiKey: key.api_key, baseUrl: clientUrl });

    // A second run issues no further key.
    const unused = await run('--json', '--yes');
    assert.equal(unused.code, 5, unused.stderr);
    assert.equal(JSON.parse(unused.stdout).next, 'install');

    await use({ brandport: newKey });
    await use(brand);
    const inUse = await run('--json', '--yes');
    assert.equal(inUse.code, 5);
    const state = JSON.parse(inUse.stdout);
    assert.deepEqual([state.next, state.old.recent_requests, state.new.recent_requests], ['wait', 1, 1]);
    assert.deepEqual(state.old.recent_operations, ['getCatalogStatus']);
    assert.match(
      inUse.stderr,
      /was last used at \S+ from 127\.0\.0\.1\. If it stays unused, it can be revoked from \S+ on\./,
    );

    await moveLastUse(brand, 23);
    assert.equal(JSON.parse((await run('--json', '--yes')).stdout).next, 'wait');
    await moveLastUse(brand, 25);
    const ready = await run();
    assert.deepEqual([ready.code, /with --yes to revoke it/.test(ready.stderr)], [5, true]);
    assert.equal((await brand.cli(['status'])).code, 0);
    const done = await run('--yes', '--json');
    assert.equal(done.code, 0, done.stderr);
    assert.equal(JSON.parse(done.stdout).next, 'done');
    assert.equal((await brand.cli(['status'])).code, 4);
    await newKey.catalog.status();
    assert.match((await run()).stderr, /was revoked at /);
  });

  it('takes less silence if asked to, but never an unused new key', async () => {
    const brand = await newCliBrand();
    const run = () => brand.cli(['keys', 'handover', brand.keyId, '--yes', '--json', '--silence', '0']);
    const { api_key } = JSON.parse((await run()).stdout);
    await use(brand);
    assert.equal((await run()).code, 5);
    await use({ brandport: brand.connect({ apiKey: api_key }) });
    assert.equal((await run()).code, 0);
  });

  it('stops watching on Ctrl-C, with both keys working', async () => {
    const brand = await newCliBrand();
    await brand.cli(['keys', 'handover', brand.keyId, '--yes']);
    const interrupt = new AbortController();
    const outcome = brand.cli(['keys', 'handover', brand.keyId, '--watch'], { signal: interrupt.signal });
    setTimeout(() => interrupt.abort(new Error('Ctrl-C')), 200);
    const { code, stderr } = await outcome;
    assert.equal(code, 130);
    assert.match(stderr, /Interrupted\. Both keys work\. Run the same command again: it continues\.\n$/);
  });
});
