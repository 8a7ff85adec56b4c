// processes: pulls from services that fail, are restored or change meanwhile
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Fault, type SeenRequest, startFaultProxy } from '../../client/tests/fault-proxy.ts';
import { startCliService } from './cli-service.ts';
import { newPulledBrand, type PulledBrand } from './pull-brand.ts';
import { newFolder } from './pull-kit.ts';

const { apps, clientUrl } = await startCliService();
const isStatus = ({ url }: SeenRequest) => url.includes('/analytics/status');

// biome-ignore lint/suspicious/noExplicitAny: a response is JSON.
type Json = any;

/** Changes the datasets of a status. */
const changedStatus = (change: (dataset: Json) => void): Fault => ({
  body: (text) => {
    const status = JSON.parse(text);
    for (const dataset of Object.values(status.datasets)) change(dataset);
    return JSON.stringify(status);
  },
});

/** A command line whose requests pass a proxy. */
async function throughProxy(
  brand: PulledBrand,
  faultOf: (request: number, seen: SeenRequest) => Fault | null,
) {
  const { url, seen } = await startFaultProxy(clientUrl, faultOf);
  return {
    seen,
    run: (args: readonly string[], signal?: AbortSignal) =>
      brand.run(args, { env: { BRANDPORT_URL: url }, ...(signal && { signal }) }),
  };
}

const daysOf = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout).map(({ days }: { days: number }) => days);
const pullTo = (place: string) => ['pull', 'users,daily', '--json', '--out', place];

describe('a service', () => {
  // [D152]
  it('that cannot list all changes is asked for the revision of windows, and nothing unchanged is pulled', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const [place, whole] = [await newFolder(), await newFolder()];
    const { run, seen } = await throughProxy(brand, (_, request) =>
      isStatus(request)
        ? changedStatus(({ changed }) => {
            if (changed !== undefined) changed.complete = false;
          })
        : null,
    );
    assert.deepEqual(daysOf(await run(pullTo(place))), [3, 3]);
    const before = seen.length;
    assert.deepEqual(daysOf(await run(pullTo(place))), [0, 0]);
    // Two statuses and a probe of each dataset.
    assert.equal(seen.length - before, 4);
    await brand.optOut('bo');
    assert.deepEqual(daysOf(await run(pullTo(place))), [0, 3]);
    assert.equal((await run([...pullTo(place), '--verify'])).code, 0);
    assert.equal((await brand.run(pullTo(whole))).code, 0);
    const rows = async (folder: string) =>
      Object.entries(await stateOf(folder)).map(([name, { days }]) => [
        name,
        Object.entries<Json>(days).map(([day, { digest }]) => [day, digest]),
      ]);
    assert.deepEqual(await rows(place), await rows(whole));
  });

  it('that was restored from a backup is pulled again', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const place = await newFolder();
    let ahead = 0;
    const { run } = await throughProxy(brand, (_, request) => {
      if (isStatus(request))
        return changedStatus((dataset) => {
          dataset.revision += ahead;
          for (const day of dataset.changed?.days ?? []) day.revision += ahead;
        });
      return null;
    });
    ahead = 1_000;
    assert.deepEqual(daysOf(await run(pullTo(place))), [3, 3]);
    ahead = 0;
    assert.deepEqual(daysOf(await run(pullTo(place))), [3, 3]);
    assert.deepEqual(daysOf(await run(pullTo(place))), [0, 0]);
  });

  it('whose days change during a walk is read again, and never mixed', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const place = await newFolder();
    let [pages, revision] = [0, 50];
    const { run } = await throughProxy(brand, (_, { url }) => {
      if (!url.includes('/users/daily')) return null;
      pages += 1;
      // Each page claims to have another one after it, until the fourth: the revision moves before it, and before that one.
      const isCut = pages <= 4;
      if (isCut || url.includes('cursor=')) revision += 1;
      return {
        headers: { 'brandport-window-revision': String(revision) },
        body: (text) => {
          const page = JSON.parse(text);
          if (isCut && page.meta.next_cursor === null) page.meta.next_cursor = '';
          return JSON.stringify(page);
        },
      };
    });
    const { code, stderr } = await run(pullTo(place));
    assert.equal(code, 0, stderr);
    assert.match(stderr, /changed while they were read; reading them again/);
    const { users } = await stateOf(place);
    assert.deepEqual(
      Object.values<Json>(users.days).map(({ rows }) => rows),
      [3, 1, 2],
    );
  });

  it('whose analytics store is unavailable, or that fails half-way, ends the run with exit code 5', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const place = await newFolder();
    let fails: 'store' | 'pages' | null = 'store';
    const { run } = await throughProxy(brand, (_, request) => {
      if (fails === 'store' && isStatus(request))
        return { body: (text) => JSON.stringify({ ...JSON.parse(text), datasets: null }) };
      // The SDK does not wait for the default Retry-After of a minute: this one says 0 seconds.
      if (fails === 'pages' && request.url.includes('/users/daily')) return { status: 503, retryAfter: '0' };
      return null;
    });
    const away = await run(pullTo(place));
    assert.equal(away.code, 5, away.stderr);
    assert.match(away.stderr, /store of the service is unavailable/);
    fails = 'pages';
    const broken = await run(pullTo(place));
    assert.equal(broken.code, 5, broken.stderr);
    assert.match(broken.stderr, /What was pulled is stored\. Run the same command again: it continues\./);
    assert.deepEqual(Object.keys(await stateOf(place)), ['daily']);
    fails = null;
    assert.deepEqual(daysOf(await run(pullTo(place))), [0, 3]);
  });
});

describe('Ctrl-C during a pull', () => {
  it('keeps what was pulled, leaves no temporary file, and says how to continue', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const place = await newFolder();
    const interrupt = new AbortController();
    const { run } = await throughProxy(brand, (_, { url }) => {
      if (url.includes('/users/daily')) interrupt.abort(new Error('Interrupted.'));
      return null;
    });
    const { code, stderr } = await run(pullTo(place), interrupt.signal);
    assert.equal(code, 130, stderr);
    assert.match(stderr, /Run the same command again: it continues/);
    assert.deepEqual((await readdir(join(place, '_brandport'))).sort(), ['state.json']);
    const other = await newFolder();
    assert.equal((await brand.run(pullTo(other))).code, 0);
    assert.deepEqual(daysOf(await run(pullTo(place))), [0, 3]);
    assert.deepEqual(await stateOf(place), await stateOf(other));
  });
});

async function stateOf(place: string): Promise<Record<string, Json>> {
  return JSON.parse(await readFile(join(place, '_brandport', 'state.json'), 'utf8')).datasets;
}
