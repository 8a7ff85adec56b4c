import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { VersionedEntries } from '../../../lib/versioned-entries.ts';
import type { Queryable } from '../../../postgres/database.ts';
import type { Statement } from '../../../postgres/statement.ts';
import { yesterdayOf } from '../../day.ts';
import { findDirectoryVersion } from '../../directory-reads-store.ts';
import { ShownDirectory } from '../../shown-directory.ts';
import { newSeededBrand } from '../../tests/seed.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());
const users = ['a', 'b', 'c', 'd'];
const contents = ['episode/c0', 'episode/c1'];

// [D212]
describe('the directory in memory', () => {
  it('shows what another process has committed, after any changes', async () => {
    const brand = await newSeededBrand(apps, { users, contents });
    await brand.send(
      users.flatMap((user) =>
        ['c0', 'c1'].map((content) => ({ day: yesterday, user, type: 'episode', content })),
      ),
    );
    await brand.aggregate({ from: yesterday, to: yesterday });
    const { brandId } = brand;
    // Straight into the database, as another process would.
    const changes = {
      optOut: (n: number) =>
        apps.sql(
          'update learners set analytics_opt_out = not analytics_opt_out where brand_id = $1 and tu_id = $2',
          [brandId, users[n % users.length]],
        ),
      unlist: (n: number) =>
        apps.sql('update contents set is_listed = not is_listed where brand_id = $1 and tu_id = $2', [
          brandId,
          `c${n % 2}`,
        ]),
      name: (n: number) =>
        apps.sql('update contents set name = $3 where brand_id = $1 and tu_id = $2', [
          brandId,
          `c${n % 2}`,
          `name ${n}`,
        ]),
    };
    const wanted = async () => {
      const rows = await apps.sql<{ line: string }>(
        `select l.tu_id || ' ' || case when c.is_listed then c.tu_id else '-' end as line
         from learners l cross join contents c
         where l.brand_id = $1 and c.brand_id = $1 and not l.analytics_opt_out
         order by c.id, l.id`,
        [brandId],
      );
      return rows.map(({ line }) => line);
    };
    const shown = async () => {
      const { json } = await brand.client.get('/analytics/users/contents?per_page=500');
      return (json.data as { user: { tu_id: string }; content: { tu_id: string } | null }[]).map(
        ({ user, content }) => `${user.tu_id} ${content?.tu_id ?? '-'}`,
      );
    };
    const names = async () => {
      const { json } = await brand.client.get('/analytics/metrics/contents');
      return (json.data as { content: { name: string | null } | null }[]).map(
        ({ content }) => content?.name ?? null,
      );
    };
    const wantedNames = async () => {
      const rows = await apps.sql<{ name: string | null }>(
        'select case when is_listed then name end as name from contents where brand_id = $1 order by id',
        [brandId],
      );
      return rows.map(({ name }) => name);
    };
    assert.equal((await shown()).length, 8);
    const change = fc.record({
      kind: fc.constantFrom('optOut' as const, 'unlist' as const, 'name' as const),
      n: fc.nat(20),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (some) => {
        for (const { kind, n } of some) await changes[kind](n);
        assert.deepEqual(await shown(), await wanted());
        assert.deepEqual(await names(), await wantedNames());
      }),
      { numRuns: 20 },
    );
  });

  it('costs no statement for learners and contents that were read before', async () => {
    const { brandId } = await newSeededBrand(apps, { users, contents });
    const ids = async (table: string) =>
      (await apps.sql<{ id: number }>(`select id from ${table} where brand_id = $1`, [brandId])).map(
        ({ id }) => id,
      );
    const [learners, listed] = [await ids('learners'), await ids('contents')];
    const sent: string[] = [];
    const database: Queryable = {
      run: <Row>(statement: Statement<Row>) => {
        sent.push(statement.name);
        return apps.database.run(statement);
      },
    };
    const directory = new ShownDirectory();
    const version = await findDirectoryVersion(database, brandId);
    sent.length = 0;
    for (let page = 0; page < 2; page += 1) {
      const at = { database, brandId, version };
      assert.deepEqual([...(await directory.learners(at, learners)).values()].sort(), users);
      assert.equal((await directory.contents(at, listed)).size, 2);
    }
    assert.deepEqual(sent, ['list_shown_learners', 'list_listed_contents']);
  });
});

/** Returns entries of at most `most`, and the ids that were read, call by call. Odd ids do not exist. */
function counted(most: number) {
  const reads: number[][] = [];
  const entries = new VersionedEntries<string>(most);
  const read = async (brandId: number, version: string, ids: readonly number[]) => {
    const found = await entries.read({ brandId, version }, ids, async (missing) => {
      reads.push(missing);
      return new Map(missing.filter((id) => id % 2 === 0).map((id) => [id, `${brandId}/${version}/${id}`]));
    });
    return [...found].sort(([a], [b]) => a - b).map(([, entry]) => entry);
  };
  return { entries, reads, read };
}

// [D212]
describe('entries of a version', () => {
  it('are read once, also those that do not exist', async () => {
    const { reads, read, entries } = counted(10);
    assert.deepEqual(await read(1, 'v', [2, 3, 4, 2]), ['1/v/2', '1/v/4']);
    assert.deepEqual(await read(1, 'v', [2, 3, 4]), ['1/v/2', '1/v/4']);
    assert.deepEqual(await read(1, 'v', [4, 5, 6]), ['1/v/4', '1/v/6']);
    assert.deepEqual(reads, [
      [2, 3, 4],
      [5, 6],
    ]);
    assert.equal(entries.size, 5);
    assert.deepEqual(await read(1, 'v', []), []);
    assert.equal(reads.length, 2);
  });

  it('are read again at another version, and belong to their brand', async () => {
    const { read, entries } = counted(10);
    assert.deepEqual(await read(1, 'v', [2]), ['1/v/2']);
    assert.deepEqual(await read(2, 'v', [2]), ['2/v/2']);
    assert.deepEqual(await read(1, 'w', [2]), ['1/w/2']);
    assert.deepEqual(await read(1, 'v', [2]), ['1/v/2']);
    assert.equal(entries.size, 2);
  });

  // [platform-76]
  it('are dropped beyond the bound: those of the brand with the most', async () => {
    const { reads, read, entries } = counted(4);
    await read(1, 'v', [2]);
    await read(2, 'v', [2, 4, 6]);
    await read(3, 'v', [2]);
    assert.equal(entries.size, 2);
    reads.length = 0;
    for (const brandId of [1, 3]) await read(brandId, 'v', [2]);
    assert.deepEqual(reads, []);
    await read(2, 'v', [2, 4]);
    assert.deepEqual(reads, [[2, 4]]);
    // One brand that is larger than the bound keeps none, and the others theirs.
    assert.equal((await read(4, 'v', [2, 4, 6, 8, 10])).length, 5);
    assert.equal(entries.size, 4);
  });

  it('are not kept after a failed read', async () => {
    const { read, entries } = counted(4);
    await assert.rejects(
      entries.read({ brandId: 1, version: 'v' }, [2], () => Promise.reject(new Error('away'))),
      /away/,
    );
    assert.deepEqual(await read(1, 'v', [2]), ['1/v/2']);
  });
});
