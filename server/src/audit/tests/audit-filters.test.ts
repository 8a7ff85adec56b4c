import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps();
const { admin, sql } = apps;
const { json: brand } = await admin.post('/brands', { name: '=HYPERLINK("http://x")' });
const { json: other } = await admin.post('/brands', { name: 'Other, "quoted"\nlines' });
const { json: plain } = await admin.post('/brands', { name: 'Plain' });

/** Stores an entry as an earlier version or another actor would have, and returns its id. */
async function addEntry(at: string, actor: string | null, resource = 'r'): Promise<number> {
  const rows = await sql<{ id: number }>(
    `insert into audit_entries (at, action, brand_id, resource_type, resource_id, details, actor, actor_name)
     values ($1, 'job.retry', $2, 'job', $3, '{}', $4, $5) returning id`,
    [at, plain.id, resource, actor, actor === null || actor.startsWith('=') ? null : `Ärnie ${actor}`],
  );
  return Number(rows[0]?.id);
}

const early = await addEntry('2020-02-28T23:59:59.999Z', 'alice');
const onDay = await addEntry('2020-02-29T00:00:00.000Z', 'alice', 'job-1');
const endOfDay = await addEntry('2020-02-29T23:59:59.999Z', 'bob', 'job-1');
const late = await addEntry('2020-03-01T00:00:00.000Z', null);

// [internal-116]
describe('the filters of the audit', () => {
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ['from=2020-02-29&to=2020-02-29', [endOfDay, onDay]],
    ['to=2020-02-28', [early]],
    ['from=2020-02-29T00:00:00.001Z&to=2020-03-01', [late, endOfDay]],
    ['from=2020-02-29T23:59:59.999Z&to=2020-02-29T23:59:59.999Z', [endOfDay]],
    ['from=2020-02-29T01:00:00%2B01:00&to=2020-02-29T12:00:00Z', [onDay]],
    ['actor=alice', [onDay, early]],
    ['actor=alice&from=2020-02-29', [onDay]],
    ['actor=ärnie%20ALICE', [onDay, early]],
    ['actor=%C3%84rnie', []],
    ['resource_type=job&resource_id=job-1', [endOfDay, onDay]],
    ['resource_type=brand&resource_id=job-1', []],
    ['resource=job-1', [endOfDay, onDay]],
    ['resource=job-1&actor=bob', [endOfDay]],
    ['resource=job-1&brand_id=999', []],
    ['actor=nobody', []],
    ["resource='%20or%20true--", []],
  ];
  for (const [query, ids] of cases)
    it(`select with "${query}"`, async () => {
      const { data, meta } = await ok(admin.get(`/audit?${query}`));
      assert.deepEqual([data.map(({ id }: { id: number }) => id), meta.total], [ids, ids.length]);
    });

  it('find the changes of a resource by the admin token', async () => {
    const { data } = await ok(admin.get(`/audit?actor=admin-token&resource=${brand.id}&action=brand.create`));
    assert.deepEqual(
      data.map(({ brand_id }: { brand_id: number }) => brand_id),
      [brand.id],
    );
  });

  for (const [query, field] of [
    ['from=2020-03-01&to=2020-02-29', 'from'],
    ['from=2020-02-30', 'from'],
    ['to=yesterday', 'to'],
    ['to=2020-02-29T00:00:00', 'to'],
    ['actor=%00', 'actor'],
  ] as const)
    for (const path of ['/audit', '/audit.csv'])
      it(`reject ${path}?${query}`, async () =>
        assertRefused(await admin.get(`${path}?${query}`), 'validation_failed', [field]));
});

// [internal-117]
describe('the audit as CSV', () => {
  it('has the entries of the list, newest first, with the header', async () => {
    const response = await admin.get('/audit.csv?resource=job-1');
    assert.equal(response.status, 200);
    assert.match(response.headers['content-type'] as string, /^text\/csv/);
    assert.deepEqual(response.text.split('\n'), [
      'id,at,action,brand_id,resource_type,resource_id,details,actor,actor_name,address,request_id,brand_name,resource_name',
      `${endOfDay},2020-02-29T23:59:59.999Z,job.retry,${plain.id},job,job-1,{},bob,Ärnie bob,,,Plain,`,
      `${onDay},2020-02-29T00:00:00.000Z,job.retry,${plain.id},job,job-1,{},alice,Ärnie alice,,,Plain,`,
      '',
    ]);
  });

  it('has no entry that a spreadsheet runs, and quotes what needs it', async () => {
    const formula = await addEntry('2019-01-01T00:00:00Z', '=cmd()', '@SUM(1)');
    const { text } = await admin.get('/audit.csv?to=2019-12-31');
    assert.equal(
      text.split('\n')[1],
      `${formula},2019-01-01T00:00:00.000Z,job.retry,${plain.id},job,'@SUM(1),{},'=cmd(),,,,Plain,`,
    );
    const quoted = await admin.get(`/audit.csv?resource=${other.id}&action=brand.create`);
    assert.match(quoted.text, /,"\{""name"":""Other, \\""quoted\\""\\nlines""\}",/);
  });

  it('of nothing is a header', async () => {
    assert.equal((await admin.get('/audit.csv?actor=nobody')).text.split('\n').length, 2);
  });

  it('has every entry once over many parts', async () => {
    await sql(
      `insert into audit_entries (action, resource_type, resource_id, actor)
       select 'job.retry', 'job', n::text, 'many' from generate_series(1, 2500) as n`,
    );
    const { text } = await admin.get('/audit.csv?actor=many');
    const ids = text
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => Number(row.split(',')[5]));
    assert.deepEqual(
      ids,
      Array.from({ length: 2_500 }, (_, n) => 2_500 - n),
    );
  });
});

// [internal-187]
describe('the names in the audit, and what it leaves out', () => {
  it('names brands, keys and administrators, renamed and deleted ones too, and leaves sign-ins out on request', async () => {
    const { brandId, keyId } = await apps.newBrand({ name: 'Named' });
    await apps.admin.patch(`/brands/${brandId}`, { name: 'Renamed' });
    const { json: ada } = await apps.admin.post('/administrators', { name: 'Ada', role: 'support' });
    await apps.admin.delete(`/administrators/${ada.id}`);
    await apps.sql(
      `insert into audit_entries (action, resource_type, resource_id, details) values ('session.create', 'session', '1', '{}')`,
    );
    const list = async (query: string) => (await apps.admin.get(`/audit?${query}`)).json;
    const [key] = (await list(`resource=${keyId}`)).data;
    assert.deepEqual([key.brand_name, key.resource_name], ['Renamed', 'Test key']);
    const [brand] = (await list(`brand_id=${brandId}&action=brand.create`)).data;
    assert.deepEqual([brand.brand_name, brand.resource_name], ['Renamed', 'Renamed']);
    for (const { brand_name, resource_name } of (await list(`resource=${ada.id}`)).data)
      assert.deepEqual([brand_name, resource_name], [null, 'Ada']);
    const [all, without] = [await list('per_page=1'), await list('per_page=1&exclude=session')];
    const sessions = await list('action=session.create');
    assert.ok(sessions.meta.total >= 1);
    assert.equal(without.meta.total, all.meta.total - sessions.meta.total);
    assert.equal((await apps.admin.get('/audit?exclude=brand')).status, 422);
  });
});
