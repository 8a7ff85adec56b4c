// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { program, startConsole } from './support/console-kit.ts';

describe('the limits in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole({
    limits: { catalog_key_writes: 60, catalog_brand: 600 },
  });
  const { admin } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Limited' });
  const scopes = ['catalog.products:write'];
  const newKey = async (name: string) => (await admin.post(`${base}/keys`, { name, scopes })).json;
  const base = `/brands/${brand.id}`;
  const key = await newKey('Importer');
  const keyPage = `${base}/keys/${key.key_id}`;
  const owns = async () => {
    const { json } = await admin.get(`${base}/limits`);
    const all: { own: boolean; bucket: string; limit: number; until: string | null }[] = json.data;
    return all.filter(({ own }) => own).map(({ bucket, limit, until }) => [bucket, limit, until]);
  };
  const until = '2099-01-01T06:00:00.000Z';

  it('are fields of the key, until a time; a tighter limit of the brand is named and raised', async () => {
    const opened = await open(keyPage, { isExpected: (problem) => problem.includes('422') });
    const { page } = opened;
    const writes = page.getByLabel('Writes of the catalog a minute');
    const save = page.getByRole('button', { name: 'Set the limits' });
    await writes.fill('6000 ');
    await page.getByLabel('Until, UTC').fill('2020-01-01T06:00');
    await save.click();
    await page.getByText('must be in the future').waitFor();
    await page.getByLabel('Until, UTC').fill('2099-01-01T06:00');
    await save.click();
    await page.getByText('The limits are saved.').waitFor();
    assert.deepEqual(await owns(), [['catalog_writes', 6_000, until]]);
    await page.getByText('6,000 a minute is more than the 600 of all keys of the brand').waitFor();
    await opened.assertAccessible();
    const raise = page.getByRole('button', { name: "Raise the brand's limit to 6,000 until 2099" });
    const question = page.getByRole('alertdialog', { name: 'Raise the limit of the whole brand?' });
    await writes.fill('6001');
    await page.getByText('Set the limits of the key first.').waitFor();
    await writes.fill('6000');
    await raise.click();
    await question
      .getByText(/^All keys .* After 2099-01-01 06:00:00 UTC the configured limit holds/)
      .waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await owns()).length, 1);
    await raise.click();
    await question.getByRole('button', { name: /^Raise/ }).click();
    await page.getByText("The brand's limit is raised.").waitFor();
    assert.deepEqual((await owns())[0], ['catalog_brand', 6_000, until]);
    await page.getByRole('button', { name: 'Use the configured limits' }).click();
    await page.getByText('The configured limits hold again.', { exact: true }).waitFor();
    await page.goto(`${server.internalUrl}/console${base}/settings`);
    await page.getByLabel('Requests to the catalog a minute').fill('9000');
    await save.click();
    await page.getByText('of 9,000 used in this minute').waitFor();
    await page.getByRole('button', { name: 'Use the configured limits' }).click();
    await page.getByText('of 600 used in this minute').waitFor();
    assert.deepEqual(await owns(), []);
    opened.assertNoProblems();
    await opened.close();
  });

  it('says that an own limit of the brand is replaced without end before it is', async () => {
    await admin.put(`${base}/limits`, { catalog: 900 });
    await admin.put(`/keys/${key.key_id}/limits`, { catalog_writes: 5_000, until });
    const opened = await open(keyPage);
    const { page } = opened;
    await page.getByRole('button', { name: "Raise the brand's limit to 5,000 without end" }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('until somebody changes it again').waitFor();
    await question.getByText("replaces the brand's own limit of 900").waitFor();
    await opened.assertAccessible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual((await owns())[0], ['catalog_brand', 900, null]);
    await admin.delete(`${base}/limits`);
    await admin.delete(`/keys/${key.key_id}/limits`);
    opened.assertNoProblems();
    await opened.close();
  });

  // [internal-212]
  it('asks before a limit is saved that lies below the busiest minute', async () => {
    const day = new Date(server.clock.now()).toISOString().slice(0, 10);
    await server.sql(
      `insert into request_minutes (brand_id, key_id, hour, bucket, requests)
       values ($1, '', date_trunc('day', $2::timestamptz, 'UTC'), 'catalog_brand', array_fill(412, array[60]))`,
      [brand.id, new Date(server.clock.now())],
    );
    const opened = await open(`${base}/settings`);
    const { page } = opened;
    const limit = page.getByLabel('Requests to the catalog a minute');
    await limit.fill('6');
    await page.getByRole('button', { name: 'Set the limits' }).click();
    const doubt = page.getByRole('alertdialog', { name: 'Set these limits?' });
    await doubt.getByText(`6 is less than what was used: up to 412 a minute on ${day}.`).waitFor();
    await opened.assertAccessible();
    await doubt.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await owns(), []);
    await limit.fill('412');
    await page.getByRole('button', { name: 'Set the limits' }).click();
    await page.getByText('The limits are saved.').waitFor();
    assert.deepEqual(await owns(), [['catalog_brand', 412, null]]);
    await limit.fill('6');
    await page.getByRole('button', { name: 'Set the limits' }).click();
    await doubt.getByRole('button', { name: 'Set them anyway' }).click();
    await page.getByText('of 6 used in this minute').waitFor();
    await limit.fill('9000');
    await page.getByRole('button', { name: 'Set the limits' }).click();
    await doubt.getByText('9,000 instead of 6, without end.').waitFor();
    await doubt.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await owns(), [['catalog_brand', 6, null]]);
    await limit.fill('6');
    await admin.delete(`${base}/limits`);
    await server.sql('delete from request_minutes where brand_id = $1', [brand.id]);
    opened.assertNoProblems();
    await opened.close();
  });

  it('keep what is typed while somebody else saves, and when the page is left by mistake', async () => {
    const opened = await open(keyPage);
    const { page } = opened;
    const writes = page.getByLabel('Writes of the catalog a minute');
    await writes.fill('777');
    await admin.put(`/keys/${key.key_id}/limits`, { catalog_writes: 3_000, analytics: 50 });
    await page.getByText('Writes of the catalog a minute is now 3000.').waitFor();
    assert.equal(await writes.inputValue(), '777');
    assert.ok(await page.getByRole('button', { name: 'Set the limits' }).isDisabled());
    await page.getByRole('navigation', { name: 'Pages of the brand' }).getByText('Keys').click();
    await page.getByText('What you have typed is not saved.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Keep 777' }).click();
    await page.getByRole('button', { name: 'Set the limits' }).click();
    await page.getByText('The limits are saved.').waitFor();
    assert.deepEqual(await owns(), [
      ['catalog_writes', 777, null],
      ['analytics_key', 50, null],
    ]);
    opened.assertNoProblems();
    await opened.close();
  });

  it('of a key that is not listed cannot be saved, and the list of the brand begins with the key that uses most', async () => {
    const revoked = await newKey('Gone');
    await admin.post(`/keys/${revoked.key_id}/revoke`);
    for (let n = 0; n < 20; n += 1) await newKey(`K${n}`);
    await server.clientWith(key.api_key).create('/catalog/products', { sku: 'ONE' });
    const before = await owns();
    const opened = await open(`${base}/limits?key=${revoked.key_id}`);
    const { page } = opened;
    await page.getByText('This key is not among the active keys').waitFor();
    await page.goto(`${server.internalUrl}/console${base}/keys/${revoked.key_id}`);
    await page.getByText('This key is not among the active keys').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Set the limits' }).count(), 0);
    assert.deepEqual(await owns(), before);
    await page.goto(`${server.internalUrl}/console${base}/limits`);
    await page.getByText('1 of 777').waitFor();
    // Names of keys are read after the list.
    await page.getByRole('link', { name: /^Importer/ }).waitFor();
    const [, first, ...others] = await page.getByRole('row').all();
    assert.match((await first?.innerText()) ?? '', /^Importer .*1 of 777/s);
    assert.equal(others.length, 20);
    await page.getByRole('link', { name: /^Importer/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Importer' }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });
});
