import assert from 'node:assert/strict';
import type { TestApps, TestBrand } from '../../../test/support/test-apps.ts';
import { type DayRange, daysOf } from '../day.ts';
import type { ModelEvent } from './model-records.ts';
import { listAll, walk } from './pull-rows.ts';
import { ReferenceAnalytics } from './reference-analytics.ts';

export const learnerCount = 5;
const contentTypes = ['episode', 'episode', 'program', 'quest', 'lesson'];
export const contentCount = contentTypes.length;
export const marketCount = 2;

/** An event with indexes into the lists of a brand instead of ids. */
export type DraftEvent = Omit<ModelEvent, 'user' | 'content' | 'market'> & {
  readonly user: number;
  readonly content: number;
  readonly market: number | null;
};

/** A brand of the real apps, and the model that predicts its analytics. */
export interface ModelledBrand extends TestBrand {
  readonly model: ReferenceAnalytics;
  append(events: readonly DraftEvent[]): Promise<void>;
  setOptOut(user: number, optedOut: boolean): Promise<void>;
  unlist(content: number): Promise<void>;
  erase(user: number): Promise<void>;
  aggregate(range: DayRange): Promise<void>;
  /** Compares every row of every dataset, as served, with the model. */
  assertServed(range: DayRange, perPage: number): Promise<void>;
}

/** Creates the brand through the real operations; ids are looked up, because rows are ordered by them. */
export async function newModelledBrand(apps: TestApps): Promise<ModelledBrand> {
  const brand = await apps.newBrand();
  const { brandId, client } = brand;
  const model = new ReferenceAnalytics();
  const put = async (path: string, items: object[]) => {
    const { status, text } = await apps.admin.put(`/brands/${brandId}/${path}`, { items });
    assert.equal(status, 200, text);
  };
  const tuIds = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  const learnerTuIds = tuIds('u', learnerCount);
  const marketTuIds = tuIds('m', marketCount);
  const contents = contentTypes.map((type, index) => ({
    type,
    tu_id: `c${index}`,
    name: `Content ${index}`,
  }));
  await put(
    'markets',
    marketTuIds.map((tu_id) => ({ tu_id })),
  );
  await put(
    'users',
    learnerTuIds.map((tu_id) => ({ tu_id })),
  );
  await put(
    'contents',
    contents.filter(({ type }) => type !== 'lesson'),
  );
  // The directory has no lessons; an event with one creates an orphaned reference.
  await apps.sql(
    `insert into contents (brand_id, type, tu_id, is_listed) values ($1, 'lesson', 'c4', false)`,
    [brandId],
  );
  for (const sku of ['A', 'B'])
    await client.create('/catalog/products', { sku, title: sku, is_active: sku === 'A' });
  model.activeProducts = 1;

  const idsOf = async (table: string, wanted: readonly string[]) => {
    const rows = await apps.sql<{ id: number; tu_id: string }>(
      `select id, tu_id from ${table} where brand_id = $1`,
      [brandId],
    );
    return wanted.map((tuId) => rows.find((row) => row.tu_id === tuId)?.id as number);
  };
  const learnerIds = await idsOf('learners', learnerTuIds);
  const marketIds = await idsOf('markets', marketTuIds);
  const contentIds = await idsOf(
    'contents',
    contents.map(({ tu_id }) => tu_id),
  );
  for (const [index, id] of learnerIds.entries())
    model.users.set(id, { tuId: learnerTuIds[index] as string, optedOut: false, erased: false });
  for (const [index, id] of marketIds.entries()) model.markets.set(id, marketTuIds[index] as string);
  for (const [index, id] of contentIds.entries()) {
    const { type, tu_id: tuId, name } = contents[index] as (typeof contents)[number];
    const isListed = type !== 'lesson';
    model.contents.set(id, { type, tuId, name: isListed ? name : null, isListed, isLive: true });
  }
  const learnerOf = (index: number) => {
    const id = learnerIds[index] as number;
    // biome-ignore lint/style/noNonNullAssertion: every id was put there above.
    return { id, user: model.users.get(id)! };
  };

  return {
    ...brand,
    model,
    async append(drafts) {
      const items = drafts.map((draft) => {
        const { tuId } = learnerOf(draft.user).user;
        const { type, tu_id } = contents[draft.content] as (typeof contents)[number];
        return {
          event_id: draft.eventId,
          occurred_at: `${draft.day}T12:00:00Z`,
          kind: draft.kind,
          user: tuId,
          content: { type, tu_id },
          ...(draft.market !== null && { market: marketTuIds[draft.market] }),
          ...(draft.progress !== null && { progress: draft.progress / 100 }),
          ...(draft.score !== null && { score: draft.score / 100 }),
          ...(draft.questions > 0 && { questions: draft.questions, answered: draft.answered }),
          time_spent_seconds: draft.seconds,
          xp_earned: draft.xp,
        };
      });
      const { status, text } = await apps.admin.post(`/brands/${brandId}/events`, { items });
      assert.equal(status, 200, text);
      model.append(
        drafts
          .filter((draft) => !learnerOf(draft.user).user.optedOut && !learnerOf(draft.user).user.erased)
          .map((draft) => ({
            ...draft,
            user: learnerOf(draft.user).id,
            content: contentIds[draft.content] as number,
            market: draft.market === null ? null : (marketIds[draft.market] as number),
          })),
      );
    },
    async setOptOut(index, optedOut) {
      const { user } = learnerOf(index);
      if (user.erased) return;
      await put('users', [{ tu_id: user.tuId, analytics_opt_out: optedOut }]);
      user.optedOut = optedOut;
    },
    async unlist(index) {
      // biome-ignore lint/style/noNonNullAssertion: every id was put there above.
      const content = model.contents.get(contentIds[index] as number)!;
      if (!content.isListed) return;
      const { status } = await apps.admin.delete(
        `/brands/${brandId}/contents/${content.type}/${content.tuId}`,
      );
      assert.equal(status, 204);
      content.isListed = false;
    },
    async erase(index) {
      const { id, user } = learnerOf(index);
      if (user.erased) return;
      const { status } = await apps.admin.delete(`/brands/${brandId}/users/${user.tuId}`);
      assert.equal(status, 204);
      model.erase(id);
    },
    async aggregate({ from, to }) {
      const { status, text } = await apps.admin.post(`/brands/${brandId}/aggregations`, { from, to });
      assert.equal(status, 200, text);
      model.aggregate(daysOf({ from, to }));
    },
    async assertServed({ from, to }, perPage) {
      const query = { from, to, per_page: String(perPage) };
      const pull = async (path: string, more: Record<string, string> = {}) =>
        (await walk(client, path, { ...query, ...more })).rows;
      assert.deepEqual(await listAll(client, '/analytics/metrics/daily', query), model.daily('brand'));
      assert.deepEqual(
        await listAll(client, '/analytics/metrics/daily', { ...query, group_by: 'market' }),
        model.daily('markets'),
      );
      assert.deepEqual(await pull('/analytics/metrics/contents'), model.contentRows());
      assert.deepEqual(await pull('/analytics/users/daily'), model.userRows());
      const engagement = model.engagementRows();
      assert.deepEqual(await pull('/analytics/users/contents'), engagement);
      for (const completed of ['true', 'false'])
        assert.deepEqual(
          await pull('/analytics/users/contents', { completed }),
          engagement.filter(({ metrics }) => String(metrics.is_completed) === completed),
        );
    },
  };
}
