// nightly: kills the command, run after run
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startFaultProxy } from '../../client/tests/fault-proxy.ts';
import { startSdkService } from '../../client/tests/sdk-service.ts';
import { addDays, yesterdayOf } from '../../server/src/analytics/day.ts';
import { newSeededBrand, type SeededBrand } from '../../server/src/analytics/tests/seed.ts';
import { findSha256 } from '../src/pull/directory.ts';
import { newPostgres, openDatabase } from './pull-databases.ts';
import { fingerprintsOf, newFolder, settle } from './pull-kit.ts';

const { apps, clientUrl } = await startSdkService();
const program = fileURLToPath(new URL('../bin/brandport.js', import.meta.url));

/** A brand with thirty days of twelve learners. */
async function newBusyBrand(): Promise<SeededBrand> {
  const users = Array.from({ length: 12 }, (_, index) => `u${index}`);
  const brand = await newSeededBrand(apps, { users });
  const last = yesterdayOf(apps.clock.now());
  const days = Array.from({ length: 30 }, (_, index) => addDays(last, index - 29));
  await brand.send(days.flatMap((day) => users.map((user) => ({ day, user, xp_earned: 3 }))));
  await brand.aggregate({ from: addDays(last, -29), to: last });
  return brand;
}

interface Started {
  readonly kill: () => void;
  readonly ended: Promise<{ code: number | null; signal: string | null; stderr: string }>;
}

/** Starts `brandport pull` as a separate process. */
function startPull(url: string, apiKey: string, args: readonly string[]): Started {
  const child = spawn(process.execPath, [program, 'pull', ...args], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', BRANDPORT_URL: url, BRANDPORT_API_KEY: apiKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr }));
  return { kill: () => child.kill('SIGKILL'), ended };
}

/** A proxy that kills the process that is set, some time after the n-th request from now. */
async function startKiller() {
  let [left, delayMs] = [Number.POSITIVE_INFINITY, 0];
  let running: Started | null = null;
  const { url } = await startFaultProxy(clientUrl, () => {
    left -= 1;
    if (left === 0) setTimeout(() => running?.kill(), delayMs);
    return null;
  });
  return {
    url,
    runAndKill: async (start: () => Started, request: number, ms: number) => {
      [left, delayMs] = [request, ms];
      running = start();
      const { signal } = await running.ended;
      left = Number.POSITIVE_INFINITY;
      return signal === 'SIGKILL';
    },
  };
}

/** Asserts that the state describes files that are there, byte by byte. */
async function assertWhole(place: string): Promise<void> {
  const text = await readFile(join(place, '_brandport', 'state.json'), 'utf8').catch(() => null);
  if (text === null) return;
  for (const [name, { days }] of Object.entries<{ days: Record<string, { file: string; sha256: string }> }>(
    JSON.parse(text).datasets,
  ))
    for (const { file, sha256 } of Object.values(days))
      assert.equal(await findSha256(join(place, name, file)), sha256, `${name}/${file}`);
}

describe('a pull that is killed at any moment and run again', () => {
  // [D151]
  it('leaves the same bytes as one that was not', async () => {
    const brand = await newBusyBrand();
    const killer = await startKiller();
    const [place, unbroken] = [await newFolder(), await newFolder()];
    const start = (out: string) => () => startPull(killer.url, brand.apiKey, ['--out', join(out, 'w')]);
    const whole = await start(unbroken)().ended;
    assert.equal(whole.code, 0, whole.stderr);
    let kills = 0;
    // Each run comes further than the one before: the days that it finished are not read again.
    for (const request of [2, 4, 5, 6, 6, 7, 8, 9]) {
      if (await killer.runAndKill(start(place), request, Math.random() * 40)) kills += 1;
      await assertWhole(join(place, 'w'));
    }
    assert.ok(kills >= 4, `${kills} kills`);
    const last = await start(place)().ended;
    assert.equal(last.code, 0, last.stderr);
    assert.deepEqual(await fingerprintsOf(join(place, 'w')), await fingerprintsOf(join(unbroken, 'w')));
  });

  it('has no row of a learner who opted out in between', async () => {
    const brand = await newBusyBrand();
    const killer = await startKiller();
    const place = join(await newFolder(), 'w');
    const start = () => startPull(killer.url, brand.apiKey, ['users', '--out', place, '--format', 'csv']);
    assert.ok(await killer.runAndKill(start, 6, 5));
    await brand.put('users', [{ tu_id: 'u3', analytics_opt_out: true }]);
    await settle(apps, brand.brandId);
    await killer.runAndKill(start, 5, Math.random() * 20);
    const last = await start().ended;
    assert.equal(last.code, 0, last.stderr);
    const texts = Object.keys(await fingerprintsOf(place)).map((file) => readFile(join(place, file), 'utf8'));
    assert.ok((await Promise.all(texts)).every((text) => !text.includes('"u3"')));
    const verified = await startPull(killer.url, brand.apiKey, [
      ...['users', '--out', place, '--format', 'csv', '--verify'],
    ]).ended;
    assert.equal(verified.code, 0, verified.stderr);
  });

  it('leaves the same rows in PostgreSQL', async () => {
    const brand = await newBusyBrand();
    const killer = await startKiller();
    const [unbroken, killed] = [await newPostgres(), await newPostgres()];
    const start = (out: string) => startPull(killer.url, brand.apiKey, ['users,contents', '--out', out]);
    const whole = await start(unbroken).ended;
    assert.equal(whole.code, 0, whole.stderr);
    for (const request of [4, 5, 5, 6, 6, 7])
      await killer.runAndKill(() => start(killed), request, Math.random() * 60);
    const last = await start(killed).ended;
    assert.equal(last.code, 0, last.stderr);
    const contentsOf = async (place: string) => {
      const { read } = await openDatabase(place, brand.brandId);
      return [
        await read('select * from users order by date, user_tu_id'),
        await read('select * from contents order by date, content_tu_id'),
        await read('select * from _brandport_state'),
      ];
    };
    const expected = await contentsOf(unbroken);
    assert.equal(expected[0]?.length, 360);
    assert.deepEqual(await contentsOf(killed), expected);
  });
});
