import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import type { Queryable } from '../../../postgres/database.ts';
import type { Statement } from '../../../postgres/statement.ts';
import { yesterdayOf } from '../../day.ts';
import { findDirectoryVersion } from '../../directory-store.ts';
import { newSeededBrand } from '../../tests/seed.ts';
import { ShownDirectory } from '../shown-directory.ts';

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
