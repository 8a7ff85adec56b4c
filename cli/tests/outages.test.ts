// processes: waits for services that are away
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Fault, type SeenRequest, startFaultProxy } from '../../client/tests/fault-proxy.ts';
import { startCliService } from './cli-service.ts';
import { SyncFolder } from './sync-kit.ts';

const { apps, clientUrl, internalUrl, newCliBrand } = await startCliService({ runsJobs: true });
after(() => apps.clientApp.close());
const folder = new SyncFolder();
const rows = Array.from({ length: 40 }, (_, n) => `P${n},true`);
const load = folder.file('load.csv', ['sku,is_active', ...rows]);
const isWrite = ({ method }: SeenRequest) => method === 'POST';

/** A brand whose command line passes a proxy. */
async function brandBehind(faultOf: (seen: SeenRequest) => Fault | null) {
  const brand = await newCliBrand();
  const { url } = await startFaultProxy(clientUrl, (_, seen) => faultOf(seen));
  const run: typeof brand.cli = (args, options) =>
    brand.cli(args, { ...options, env: { BRANDPORT_URL: url } });
  return { ...brand, run };
}

describe('an outage in the middle', () => {
  it('of a sync is waited for, and told once', async () => {
    let [writes, awayUntil] = [0, 0];
    const { run } = await brandBehind((seen) => {
      if (!isWrite(seen)) return null;
      writes += 1;
      if (writes === 11) awayUntil = Date.now() + 6_000;
      return Date.now() < awayUntil ? 'drop before sending' : null;
    });
    const { code, stdout, stderr } = await run(['sync', load, '--yes'], { patienceMs: 60_000 });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^40 written$/m);
    assert.equal(stderr.match(/Waiting for the service, 1 minutes? at most/g)?.length, 1, stderr);
    assert.equal(stderr.match(/The service answers again\./g)?.length, 1, stderr);
  });

  it('of a sync that lasts ends it with 5, and with what is written and left', async () => {
    let writes = 0;
    const { run } = await brandBehind((seen) => {
      if (isWrite(seen)) writes += 1;
      return writes > 20 ? { status: 503, retryAfter: '0' } : null;
    });
    const { code, stdout, stderr } = await run(['sync', load, '--yes']);
    assert.equal(code, 5, stderr);
    assert.match(stderr, /^error: .*503/m);
    const [, written, rest] = lastLine(stderr);
    assert.ok(written >= 1 && written <= 20 && written + rest === 40, stderr);
    assert.doesNotMatch(stdout, /written/);
    writes = Number.NEGATIVE_INFINITY;
    const json = await run(['sync', load, '--yes', '--json']);
    assert.equal(json.code, 0, json.stderr);
    assert.deepEqual(
      [JSON.parse(json.stdout).result.written, JSON.parse(json.stdout).result.left],
      [rest, 0],
    );
  });

  it('of products export ends it with 5, and the same command does it all', async () => {
    const { run, brandport } = await brandBehind(({ url }) =>
      isAway && url.includes('per_page=200') ? { status: 503, retryAfter: '0' } : null,
    );
    let isAway = true;
    await brandport.catalog.products.create({ sku: 'A' });
    const out = join(folder.path, 'export.jsonl');
    const away = await run(['products', 'export', '--out', out]);
    assert.equal(away.code, 5, away.stderr);
    isAway = false;
    assert.equal((await run(['products', 'export', '--out', out])).code, 0);
  });

  it('of feeds send and resend ends them with 5', async () => {
    let away: RegExp | null = null;
    const { run, brandport } = await brandBehind(({ url }) =>
      away?.test(url) === true ? { status: 503, retryAfter: '0' } : null,
    );
    await brandport.catalog.products.create({ sku: 'A' });
    await brandport.catalog.locations.create({ external_code: 'hall' });
    const lines = ['sku,location_code,quantity', 'A,hall,3', 'B,hall,1'];
    const file = folder.file('feed.csv', lines);
    const both = async (isAway: RegExp, args: string[], end: number) => {
      away = isAway;
      const first = await run(args);
      assert.equal(first.code, 5, `${args[1]}: ${first.stderr}`);
      assert.match(first.stderr, /un the same command again/);
      away = null;
      const second = await run(args);
      assert.equal(second.code, end, `${args[1]}: ${second.stderr}`);
    };
    await both(/feeds$/, ['feeds', 'send', file], 0);
    assert.equal((await run(['feeds', 'wait', file])).code, 5);
    await brandport.catalog.products.create({ sku: 'B' });
    await both(/feeds\//, ['feeds', 'resend', file, '--wait'], 0);
  });

  it('of learners erase ends it with 5, and says that the same command does the rest', async () => {
    const brand = await newCliBrand();
    let erased = 0;
    const { url } = await startFaultProxy(internalUrl, (_, { method }) => {
      if (method === 'DELETE') erased += 1;
      return erased > 3 ? { status: 503, retryAfter: '0' } : null;
    });
    const ids = Array.from({ length: 12 }, (_, n) => `learner-${n}`);
    const erase = (env?: Record<string, string>) =>
      brand.cli(['learners', 'erase', ...ids, '--brand', String(brand.brandId), '--yes'], {
        ...(env && { env }),
      });
    const away = await erase({ BRANDPORT_INTERNAL_URL: url });
    assert.equal(away.code, 5, away.stderr);
    assert.match(away.stderr, /^Run the same command again: learners that are erased are skipped\.$/m);
    assert.equal((await erase()).code, 0);
  });

  it('before the service has answered ends a command with 1', async () => {
    const { run } = await brandBehind(() => ({ status: 503, retryAfter: '0' }));
    const { code, stderr } = await run(['sync', load, '--yes'], { patienceMs: 60_000 });
    assert.equal(code, 1, stderr);
  });
});

it('a key that is revoked in the middle ends a sync with 4, and with what is written and left', async () => {
  let writes = 0;
  const { run, keyId } = await brandBehind((seen) => {
    if (isWrite(seen)) writes += 1;
    if (writes === 15) void apps.admin.post(`/keys/${keyId}/revoke`);
    return null;
  });
  const { code, stderr } = await run(['sync', load, '--yes']);
  assert.equal(code, 4, stderr);
  const [, written, left] = lastLine(stderr);
  assert.equal(written + left, 40, stderr);
});

/** Returns the counts of `12 written, 28 left; run it again.`. */
function lastLine(stderr: string): [text: string, written: number, left: number] {
  const [text = '', written, left] = /^(\d+) written, (\d+) left; run it again\.$/m.exec(stderr) ?? [];
  return [text, Number(written), Number(left)];
}

it('two syncs of one file count each write once', async () => {
  const { cli } = await newCliBrand();
  const results = await Promise.all([1, 2].map(() => cli(['sync', load, '--yes', '--json'])));
  const counts = results.map(({ stdout }) => JSON.parse(stdout).result);
  const sum = counts.reduce((all, { written }) => all + written, 0);
  assert.equal(sum, 40, JSON.stringify(counts));
  for (const { written, repeated, failed, left } of counts)
    assert.deepEqual([written + repeated + failed.length, left], [40, failed.length]);
});
