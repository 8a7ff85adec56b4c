// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { testAdminToken } from '../../server/test/support/test-apps.ts';
import { program, startConsole } from './support/console-kit.ts';
import { seedCatalog } from './support/seed-catalog.ts';

const dayMs = 86_400_000;
const daysAgo = (count: number) => new Date(Date.now() - count * dayMs).toISOString().slice(0, 10);

/** Counts the clicks and keys of a person. A paste is one key, and so is a combination of keys. */
class Hands {
  readonly page: Page;
  clicks = 0;
  keys = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  async press(...keys: readonly string[]): Promise<void> {
    this.keys += keys.length;
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async paste(text: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.insertText(text);
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  /** Chooses a file in the field that a click has opened. */
  async choose(field: Locator, text: string): Promise<void> {
    this.clicks += 1;
    await field.setInputFiles({ name: 'lines.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  }

  /** Opens what the search offers first for a text. */
  async search(text: string, first: RegExp, how: 'paste' | 'type' = 'paste'): Promise<void> {
    await this.press('Control+k');
    await this.page.getByRole('combobox', { name: 'Search' }).waitFor();
    await this[how](text);
    await this.page.getByRole('option').first().filter({ hasText: first }).waitFor();
    await this.press('Enter');
  }
}

// The numbers are the clicks and keys that an administrator needed on 2026-11-27, who had never seen the console before.
describe('the tasks of an operator', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, openSignedOut } = await startConsole({ limits: { catalog_key_reads: 3 } });
  const { admin } = server;
  const shop = await seedCatalog(server, 'Busy');
  const base = `/brands/${shop.brandId}`;
  await shop.addLocations(['PARIS']);
  const ids = new Map<string, string>();
  for (const sku of ['TEE', 'ZERO']) ids.set(sku, String((await shop.write('/products', { sku }))['tu_id']));
  const line = (sku: string, quantity: number) => ({ sku, location_code: 'PARIS', quantity });
  await shop.feed('morning', [line('TEE', 7), line('ZERO', 6)]);
  await shop.feed('night', [line('TEE', 7), line('TEEE', 9), line('MUG', 1)]);
  await shop.write(`/products/${ids.get('ZERO')}/stock/adjust`, { location: 'PARIS', quantity: 0 });
  const newKey = async (name: string, brand = base) =>
    (await admin.post(`${brand}/keys`, { name, scopes: ['catalog.products:read'] })).json;
  const use = (key: { api_key: string }, id?: string) =>
    server.clientWith(key.api_key).get('/catalog/products', id === undefined ? {} : { 'x-request-id': id });
  const erp = await newKey('ERP');
  const refused = { 'x-request-id': 'abc' };
  assert.equal((await server.clientWith(erp.api_key).get('/catalog/stock/levels', refused)).status, 403);
  const { json: sunlu } = await admin.post('/brands', { name: 'Sunlu' });
  const looping = await newKey('Loop', `/brands/${sunlu.id}`);
  for (let n = 0; n < 5; n += 1) await use(looping);
  await admin.put(`${base}/users`, { items: [{ tu_id: 'learner-1' }, { tu_id: 'learner-2' }] });
  await admin.put(`${base}/contents`, { items: [{ type: 'episode', tu_id: 'c', name: 'C' }] });
  const watch = (user: string, day: number) =>
    admin.post(`${base}/events`, {
      items: [
        {
          event_id: `${user}-${day}`,
          occurred_at: `${daysAgo(day)}T08:00:00Z`,
          kind: 'view',
          user,
          content: { type: 'episode', tu_id: 'c' },
          progress: 50,
        },
      ],
    });
  for (const day of [1, 2, 3]) await watch('learner-1', day);
  await admin.post(`${base}/aggregations`, { from: daysAgo(3), to: daysAgo(2) });
  await server.keyUsage.flush();

  interface Effort {
    readonly clicks: number;
    readonly keys: number;
    readonly path?: string;
  }

  /** Walks a task from Home, and compares what it took with what it took before. */
  const task = (
    name: string,
    { clicks, keys, path = '/' }: Effort,
    walk: (hands: Hands) => Promise<unknown>,
  ) =>
    it(`${name}: at most ${clicks} clicks`, async (context: TestContext) => {
      const isExpected = (problem: string) => /ABORTED|401|404/.test(problem);
      const opened = await (path === 'sign-in' ? openSignedOut('/') : open(path, { isExpected }));
      if (path !== 'sign-in') await opened.page.getByRole('list', { name: 'Figures' }).waitFor();
      await opened.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const hands = new Hands(opened.page);
      await walk(hands);
      context.diagnostic(
        `${name}: ${hands.clicks} clicks and ${hands.keys} keys; before, ${clicks} and ${keys}`,
      );
      assert.ok(hands.clicks <= clicks, `${hands.clicks} clicks`);
      opened.assertNoProblems();
      await opened.close();
    });

  /** Waits for a secret that is shown once. */
  async function secretIn(page: Page): Promise<void> {
    const secret = page.locator('.secret code');
    await secret.waitFor();
    registerCanary((await secret.innerText()).trim());
  }

  /** Downloads the failed lines, corrects a SKU, and sends them. */
  async function correct(hands: Hands, wrong: string): Promise<void> {
    const { page } = hands;
    await hands.click(page.getByRole('link', { name: /failed lines? (is|are) left/ }));
    await hands.click(page.getByRole('link', { name: 'night', exact: true }));
    const downloading = page.waitForEvent('download');
    await hands.click(page.getByRole('button', { name: 'Failed lines as CSV' }));
    const stream = await (await downloading).createReadStream();
    const csv = (await stream.toArray()).join('');
    const [head = '', ...lines] = csv.split('\r\n');
    const corrected = lines.filter((each) => each.includes(wrong)).map((each) => each.replace(wrong, 'TEE'));
    await hands.choose(page.getByLabel('Corrected lines, CSV'), [head, ...corrected].join('\r\n'));
    await hands.click(page.getByRole('button', { name: 'Send 1 corrected line' }));
    await page.getByText('No line failed').waitFor();
  }

  task('sees whether all is well', { clicks: 0, keys: 4, path: 'sign-in' }, async (hands) => {
    await hands.page.getByLabel('Administrator token').waitFor();
    await hands.paste('wrong');
    await hands.press('Enter');
    await hands.page.getByText('This token is not valid.').waitFor();
    await hands.paste(testAdminToken);
    await hands.press('Enter');
    await hands.page.getByRole('list', { name: 'Concerns' }).waitFor();
  });

  task('creates a brand, a key and its hand-over', { clicks: 6, keys: 24 }, async (hands) => {
    const { page } = hands;
    await hands.press('g', 'b');
    await hands.click(page.getByRole('link', { name: 'New brand' }).first());
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await hands.type('Fresh');
    await hands.press('Enter');
    await page.getByRole('heading', { name: 'New key' }).waitFor();
    await hands.type('PIM');
    await hands.click(page.getByRole('button', { name: 'All', exact: true }));
    await hands.click(page.getByRole('button', { name: 'Create the key' }));
    await secretIn(page);
    await hands.click(page.getByRole('button', { name: 'Copy', exact: true }));
    await page.getByRole('heading', { name: 'Send this to the integrator' }).waitFor();
    await hands.click(page.getByRole('link', { name: 'I have stored the key' }));
  });

  for (const [name, how] of [
    ['finds why a request failed by its id', 'type'],
    ['answers a partner whose request failed', 'paste'],
  ] as const)
    task(name, { clicks: 0, keys: 5 }, async (hands) => {
      await hands.search('abc', /Request abc/, how);
      await hands.page.getByText('This endpoint requires the scope catalog.stock:read').waitFor();
    });

  for (const [sku, quantity] of [
    ['TEE', '7'],
    ['ZERO', '0'],
  ] as const)
    task(`explains why a quantity is ${quantity}`, { clicks: 1, keys: 15 }, async (hands) => {
      await hands.search(sku, new RegExp(sku), 'type');
      await hands.click(hands.page.getByRole('link', { name: `${sku}, PARIS: ${quantity}` }));
      await hands.page.getByRole('list', { name: 'From the quantity to its causes' }).waitFor();
    });

  task('sends some failed lines corrected', { clicks: 5, keys: 0 }, (hands) => correct(hands, 'TEEE'));
  task('sends the lines that are left corrected', { clicks: 5, keys: 0 }, async (hands) => {
    await correct(hands, 'MUG');
    const { json } = await admin.get(`${base}/feeds?refused_lines=true`);
    const lefts: { failed_lines_left: number }[] = json.data;
    assert.deepEqual([...new Set(lefts.map(({ failed_lines_left: left }) => left))], [0]);
  });

  task('replaces a key without an outage', { clicks: 6, keys: 17 }, async (hands) => {
    const { page } = hands;
    await hands.search(erp.key_id, /ERP/);
    await hands.click(page.getByRole('link', { name: 'Hand over' }));
    await hands.click(page.getByRole('link', { name: 'Create it' }));
    await hands.click(page.getByRole('button', { name: 'Create the key' }));
    await secretIn(page);
    await hands.click(page.getByRole('link', { name: 'Key stored. Continue' }));
    await hands.click(page.getByRole('button', { name: 'Revoke the old key' }));
    await page.getByRole('alertdialog').getByRole('textbox').waitFor();
    await hands.type('ERP');
    await hands.press('Enter');
    await page.getByText('The key is revoked.').waitFor();
  });

  task('forgets a learner, with a receipt', { clicks: 4, keys: 17 }, async (hands) => {
    const { page } = hands;
    await hands.search('learner-1', /learner-1/);
    await hands.click(page.getByRole('button', { name: 'More', exact: true }));
    await hands.click(page.getByRole('menuitem', { name: 'Erase' }));
    await page.getByRole('alertdialog').getByRole('textbox').waitFor();
    await hands.paste('learner-1');
    await hands.press('Enter');
    await page.getByRole('heading', { name: 'learner-1 is erased' }).waitFor();
    await hands.click(page.getByRole('button', { name: /^Aggregate th/ }));
    await page.getByText(/days? (is|are) aggregated again/).waitFor();
    await hands.click(page.getByRole('link', { name: 'Save the receipt' }));
  });

  task('aggregates yesterday, which is missing', { clicks: 3, keys: 0 }, async (hands) => {
    const { page } = hands;
    await watch('learner-2', 1);
    await hands.click(page.getByRole('link', { name: /^Brands behind yesterday/ }));
    await hands.click(page.getByRole('link', { name: 'Busy', exact: true }));
    await hands.click(page.getByRole('button', { name: 'Aggregate this day' }));
    await page.getByText('1 day is aggregated.').waitFor();
  });

  task('sees that yesterday is complete, and why a figure changed', { clicks: 3, keys: 0 }, async (hands) => {
    const { page } = hands;
    await hands.click(page.getByRole('link', { name: 'Datasets' }));
    await hands.click(page.getByRole('link', { name: 'Busy', exact: true }));
    const why = page.getByRole('table', { name: 'Why the figures changed' });
    await why.getByText('Aggregated on request').first().waitFor();
  });

  const night = '2099-01-01T06:00';
  task('raises the limits of a key for a night', { clicks: 3, keys: 27 }, async (hands) => {
    const { page } = hands;
    await hands.search((await newKey('Importer')).key_id, /Importer/);
    await hands.click(page.getByLabel('Reads of the catalog a minute'));
    await hands.type('6000');
    await page.getByLabel('Until, UTC').focus();
    await hands.press('Tab');
    await page.getByLabel('Until, UTC').fill(night);
    hands.keys += night.replaceAll(/\D/g, '').length;
    await hands.click(page.getByRole('button', { name: 'Set the limits' }));
    await page.getByText('The limits are saved.').waitFor();
  });

  task('undoes a wrong limit of a brand', { clicks: 3, keys: 1 }, async (hands) => {
    const { page } = hands;
    await admin.put(`${base}/limits`, { catalog: 6 });
    await hands.search('Busy', /Busy/);
    await hands.click(page.getByRole('link', { name: 'Settings' }));
    await hands.click(page.getByRole('button', { name: 'Use the configured limits' }));
    await page.getByText('The configured limits hold again.', { exact: true }).waitFor();
  });

  task('finds the key of a log line', { clicks: 0, keys: 4 }, async (hands) => {
    const { key_id: id } = await newKey('Logged');
    await hands.search(`GET /v1/client/catalog/status Authorization: Bearer ${id}.abc 200`, /Logged/);
    await hands.page.getByRole('heading', { name: 'Logged' }).waitFor();
  });

  task('replaces a leaked key at once', { clicks: 1, keys: 12 }, async (hands) => {
    const { page } = hands;
    const key = await newKey('Leaked');
    await use(key);
    await server.keyUsage.flush();
    await hands.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await hands.paste(key.key_id);
    await page.getByRole('option', { name: /Rotate the key now/ }).waitFor();
    await hands.press('ArrowDown', 'Enter');
    await page.getByRole('alertdialog').getByRole('textbox').waitFor();
    await hands.type('Leaked');
    await hands.press('Enter');
    await secretIn(page);
    await page.getByRole('heading', { name: 'Send this to the integrator' }).waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
  });

  task('sees who changed a brand', { clicks: 1, keys: 8 }, async (hands) => {
    await hands.search('Busy', /Busy/, 'type');
    await hands.page
      .getByRole('row', { name: /changed the limits/ })
      .first()
      .waitFor();
  });

  task('compares two brands', { clicks: 2, keys: 2 }, async (hands) => {
    const { page } = hands;
    await hands.click(page.getByRole('link', { name: /^Requests, 24 hours/ }));
    for (const name of [/Busy/, /Sunlu/]) await page.getByRole('row', { name }).waitFor();
  });

  task('finds the brand that its limits deny', { clicks: 1, keys: 0 }, async (hands) => {
    const { page } = hands;
    await hands.click(page.getByRole('link', { name: 'Sunlu 2' }));
    await page
      .getByRole('row', { name: /Loop.*429/ })
      .first()
      .waitFor();
  });

  task('gives a colleague access that only reads', { clicks: 3, keys: 11 }, async (hands) => {
    const { page } = hands;
    await hands.click(page.getByRole('link', { name: 'Administrators' }));
    await hands.click(page.getByRole('link', { name: 'New administrator' }).first());
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await hands.type('Sue');
    await hands.press('Enter');
    await secretIn(page);
    await hands.click(page.getByRole('button', { name: 'Copy', exact: true }));
  });

  task('finds a brand by a part of its name', { clicks: 0, keys: 7 }, async (hands) => {
    await hands.search('unl', /Sunlu/, 'type');
    await hands.page.getByRole('heading', { level: 1, name: 'Sunlu' }).waitFor();
  });

  task('proves who did what', { clicks: 1, keys: 0 }, async (hands) => {
    await hands.click(hands.page.getByRole('link', { name: 'Audit' }));
    await hands.page.getByRole('row', { name: /created the administrator/ }).waitFor();
  });
});
