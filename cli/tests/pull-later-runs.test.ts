import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Brandport } from '../../client/src/index.ts';
import { newSeededBrand } from '../../server/src/analytics/tests/seed.ts';
import { cli, startCliService } from './cli-service.ts';
import { newPulledBrand } from './pull-brand.ts';
import { newPostgres, openDatabase } from './pull-databases.ts';
import { newFolder, servedRows, settle, storedRows } from './pull-kit.ts';

const { apps, clientUrl } = await startCliService();
const places: Readonly<Record<string, () => Promise<string>>> = {
  PostgreSQL: newPostgres,
  files: async () => join(await newFolder(), 'w'),
};
const daysOf = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout).map(({ days }: { days: number }) => days);

for (const [name, newPlace] of Object.entries(places))
  describe(`a place that an earlier run has filled: ${name}`, () => {
    // [D151]
    it('gets a column that a newer command adds, with its values on all days, and the output says so', async () => {
      const brand = await newPulledBrand(apps, clientUrl);
      const out = await newPlace();
      const pull = ['pull', 'users,daily', '--json', '--out', out];
      assert.equal((await brand.run(pull)).code, 0);
      // As a command without the column leaves a place.
      const older = (text: string) => text.replace(/\s*"metrics_xp_earned",/, '');
      if (name === 'files') {
        const path = join(out, '_brandport', 'state.json');
        await writeFile(path, older(await readFile(path, 'utf8')));
      } else {
        const { read } = await openDatabase(out, brand.brandId);
        await read('alter table users drop column metrics_xp_earned');
        const [row] = await read('select state from _brandport_state');
        await read(`update _brandport_state set state = '${older(String(row?.['state']))}'`);
      }
      const widened = await brand.run(pull);
      assert.deepEqual([widened.code, daysOf(widened)], [0, [0, 3]], widened.stderr);
      assert.match(
        widened.stderr,
        /^users: the stored days lack metrics_xp_earned; pulling all days again\.$/m,
      );
      const again = await brand.run(pull);
      assert.deepEqual(daysOf(again), [0, 0]);
      assert.doesNotMatch(again.stderr, /lack/);
      assert.equal((await brand.run([...pull, '--verify'])).code, 0);
      if (name === 'files') return;
      const { read } = await openDatabase(out, brand.brandId);
      const sums = await read('select cast(sum(metrics_xp_earned) as integer) as sum from users');
      assert.deepEqual(sums, [{ sum: 30 }]);
    });
  });

describe('brandport pull daily_by_market', () => {
  it('has the rows of group_by=market, which a deleted market leaves', async () => {
    const brand = await newSeededBrand(apps, { users: ['ada', 'bo', 'cy'], markets: ['north', 'south'] });
    await brand.put('users', [
      { tu_id: 'ada', market: 'north' },
      { tu_id: 'bo', market: 'south' },
    ]);
    const days = ['2026-03-01', '2026-03-02'] as const;
    await brand.send(days.flatMap((day) => ['ada', 'bo', 'cy'].map((user) => ({ day, user }))));
    const [from, to] = days;
    await brand.aggregate({ from, to });
    const place = await newFolder();
    const env = { BRANDPORT_URL: clientUrl, BRANDPORT_API_KEY: brand.apiKey };
    const run = async (datasets: string): Promise<number> => {
      const out = ['--out', place, '--json', '--from', from];
      const outcome = await cli(['pull', datasets, ...out], { env });
      assert.equal(outcome.code, 0, outcome.stderr);
      const table = JSON.parse(outcome.stdout).find(
        ({ dataset }: { dataset: string }) => dataset === 'daily_by_market',
      );
      return table?.days;
    };
    const brandport = new Brandport({ baseUrl: clientUrl, apiKey: brand.apiKey });
    const markets = async () => {
      const stored = await storedRows(place, 'daily_by_market');
      assert.deepEqual(stored, await servedRows(brandport, 'daily_by_market', { from, to }));
      return stored[to]?.map((row) => [row['market_tu_id'], row['totals_views']]).sort();
    };
    // The two tables of the dataset are at different revisions.
    await run('daily');
    assert.ok((await run('daily_by_market,daily')) >= 2);
    assert.deepEqual(await markets(), [
      ['north', 1],
      ['south', 1],
    ]);
    assert.equal(await run('daily_by_market,daily'), 0);
    const { status } = await apps.admin.delete(`/brands/${brand.brandId}/markets/south`);
    assert.equal(status, 204);
    await settle(apps, brand.brandId);
    assert.ok((await run('daily_by_market')) >= 2);
    assert.deepEqual(await markets(), [['north', 1]]);
  });
});
