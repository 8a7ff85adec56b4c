import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { type CliBrand, newHome, startCliService } from './cli-service.ts';

const { apps, admin, newCliBrand } = await startCliService({ runsJobs: true });
after(() => apps.clientApp.close());

const brandOf = ({ brandId }: CliBrand) => ['--brand', String(brandId)];

describe('brandport brands', () => {
  it('creates, changes and lists brands', async () => {
    const brand = await newCliBrand();
    const created = await brand.json(
      'brands',
      'create',
      'Maison Aurore',
      '--currency',
      'CHF',
      '--low-stock',
      '3',
    );
    assert.deepEqual(
      [created.name, created.settings.currency, created.settings.low_stock_threshold],
      ['Maison Aurore', 'CHF', 3],
    );
    const id = String(created.id);
    const changed = await brand.json('brands', 'set', id, '--stale-after', '24', '--name', 'Aurore');
    assert.deepEqual(
      [changed.name, changed.settings.stale_after_hours, changed.settings.currency],
      ['Aurore', 24, 'CHF'],
    );
    assert.equal(
      (await brand.json('brands', 'set', id, '--stale-after', 'never')).settings.stale_after_hours,
      null,
    );
    const listed = await brand.json('brands', 'list', '--all');
    assert.ok(listed.some((one: { id: number }) => one.id === created.id));
  });

  it('names the brand and host before a write, and only then', async () => {
    const { cli } = await newCliBrand();
    const { stderr } = await cli(['brands', 'create', 'B']);
    assert.match(
      stderr,
      /^Writing as the environment \(BRANDPORT_INTERNAL_URL and BRANDPORT_ADMIN_TOKEN\), 127\.0\.0\.1:\d+\.\n$/,
    );
    assert.equal((await cli(['brands', 'list', '--all'])).stderr, '');
  });

  it('shows a limited list, and says that there is more', async () => {
    const { cli } = await newCliBrand();
    await newCliBrand();
    const { stdout, stderr } = await cli(['brands', 'list', '--limit', '1', '--quiet']);
    assert.equal(stdout.split('\n').length, 2);
    assert.match(stderr, /^1 of \d+ rows\. --all shows all\.\n$/);
  });

  for (const [name, args, code, message] of [
    ['nothing to set', ['brands', 'set', '1'], 2, /There is nothing to set/],
    ['an id that is none', ['brands', 'set', '1x', '--name', 'a'], 2, /'1x' is not the id of a brand/],
    [
      'a quantity that is none',
      ['brands', 'create', 'B', '--low-stock', '-1'],
      2,
      /--low-stock must be an integer/,
    ],
    ['a currency that is none', ['brands', 'create', 'B', '--currency', 'EURO'], 3, /settings\.currency: /],
    [
      'an unknown command',
      ['brands', 'creat'],
      2,
      /unknown command 'creat'\. The nearest is 'brandport brands create'/,
    ],
    ['an unknown option', ['brands', 'list', '--limits', '1'], 2, /unknown option '--limits'/],
    ['a limit of 0', ['brands', 'list', '--limit', '0'], 2, /--limit must be an integer/],
    ['--json with --quiet', ['brands', 'list', '--json', '--quiet'], 2, /cannot be used with/],
  ] as const)
    it(`refuses ${name} with ${code} [D145]`, async () => {
      const outcome = await (await newCliBrand()).cli(args);
      assert.deepEqual([outcome.code, outcome.stdout], [code, ''], outcome.stderr);
      assert.match(outcome.stderr, message);
    });
});

describe('brandport feeds tokens', () => {
  it('creates, lists and deletes tokens', async () => {
    const brand = await newCliBrand();
    const { stdout } = await brand.cli([
      'feeds',
      'tokens',
      'create',
      ...brandOf(brand),
      '--name',
      'till',
      '--quiet',
    ]);
    assert.match(stdout, /^cfk_\w{40}\n$/);
    const [token] = await brand.json('feeds', 'tokens', 'list', ...brandOf(brand));
    assert.equal(token.name, 'till');
    assert.equal((await brand.cli(['feeds', 'tokens', 'delete', String(token.id), '--yes'])).code, 0);
    assert.deepEqual(await brand.json('feeds', 'tokens', 'list', ...brandOf(brand)), []);
    assert.equal((await brand.cli(['feeds', 'tokens', 'delete', String(token.id), '--yes'])).code, 1);
  });
});

describe('brandport feeds, jobs and audit', () => {
  it('list the feeds of a brand', async () => {
    const brand = await newCliBrand();
    await brand.brandport.feeds.submit({
      source: 'erp',
      batchId: 'b1',
      lines: [{ sku: 'x', location_code: 'y', quantity: 1 }],
    });
    const [feed] = await brand.json('feeds', 'list', ...brandOf(brand));
    assert.deepEqual([feed.batch_id, feed.source], ['b1', 'erp']);
    assert.deepEqual(await brand.json('feeds', 'list', ...brandOf(brand), '--source', 'other'), []);
    const everywhere = await brand.json('feeds', 'list', '--all-brands', '--all');
    assert.ok(everywhere.some(({ feed_id }: { feed_id: string }) => feed_id === feed.feed_id));
    assert.equal((await brand.cli(['feeds', 'list', '--all-brands', ...brandOf(brand)])).code, 2);
  });

  it('show a feed, its failed lines, and send them again', async () => {
    const brand = await newCliBrand();
    const submitted = await brand.brandport.feeds.submit({
      source: 'erp',
      batchId: 'b1',
      lines: [{ sku: 'MUG', location_code: 'main', quantity: 4 }],
    });
    await submitted.wait();
    const [listed] = await brand.json('feeds', 'list', ...brandOf(brand));
    const shown = await brand.json('feeds', 'show', listed.feed_id, ...brandOf(brand));
    assert.deepEqual(
      [shown.status, shown.totals.unknown_sku, shown.submitted_by, shown.queue_position],
      ['completed', 1, brand.keyId, null],
    );
    const { stdout } = await brand.cli(['feeds', 'show', listed.feed_id, ...brandOf(brand)]);
    assert.match(stdout, /^lines unknown_sku +1$/m);
    const [line] = await brand.json('feeds', 'failed', listed.feed_id, ...brandOf(brand));
    assert.deepEqual([line.sku, line.quantity, line.result], ['MUG', 4, 'unknown_sku']);
    await brand.brandport.catalog.locations.create({ external_code: 'main', name: 'Main' });
    await brand.brandport.catalog.products.create({ sku: 'MUG', title: 'Mug' });
    const again = await brand.json('feeds', 'requeue', listed.feed_id, ...brandOf(brand), '--yes');
    assert.equal(again.batch_id, `requeue:${listed.feed_id}:1`);
    const isDone = async () =>
      (await brand.json('feeds', 'show', again.feed_id, ...brandOf(brand))).totals.applied === 1;
    await waitFor('the line to be applied', isDone, 30_000);
    const missing = await brand.cli([
      'feeds',
      'show',
      '01234567-89ab-4def-8123-456789abcdef',
      ...brandOf(brand),
    ]);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /\(not_found\)/);
  });

  it('list jobs, and refuse to retry one that does not exist', async () => {
    const brand = await newCliBrand();
    assert.deepEqual(await brand.json('jobs', 'list', '--state', 'failed', ...brandOf(brand)), []);
    assert.deepEqual(await brand.json('jobs', 'retry-all', ...brandOf(brand), '--yes'), { retried: 0 });
    assert.equal((await brand.cli(['jobs', 'list', '--queue', 'none'])).code, 3);
    const { code, stderr } = await brand.cli(['jobs', 'retry', '01234567-89ab-4def-8123-456789abcdef']);
    assert.equal(code, 1);
    assert.match(stderr, /\(not_found\)/);
  });

  it('list who changed what', async () => {
    const brand = await newCliBrand();
    const [entry] = await brand.json('audit', ...brandOf(brand), '--action', 'api_key.create');
    assert.deepEqual(
      [entry.action, entry.resource_id, entry.actor],
      ['api_key.create', brand.keyId, 'admin-token'],
    );
    const same = await brand.json(
      'audit',
      '--resource',
      brand.keyId,
      '--actor',
      entry.actor,
      '--from',
      entry.at,
    );
    assert.deepEqual(same[0], entry);
    assert.deepEqual(await brand.json('audit', '--resource', brand.keyId, '--to', '2020-01-01'), []);
    assert.equal((await brand.cli(['audit', '--from', 'yesterday'])).code, 3);
  });
});

describe('brandport datasets', () => {
  it('aggregates days and lists them', async () => {
    const brand = await newCliBrand();
    const aggregated = await brand.json(
      'datasets',
      'aggregate',
      ...brandOf(brand),
      '--from',
      '2026-03-01',
      '--to',
      '2026-03-02',
    );
    assert.equal(aggregated.days, 2);
    const range = ['--from', '2026-02-28', '--to', '2026-03-02'];
    const days = await brand.json('datasets', 'days', ...brandOf(brand), ...range);
    assert.deepEqual(
      days.map(({ date, aggregated_at }: Record<string, unknown>) => [date, aggregated_at !== null]),
      [
        ['2026-03-02', true],
        ['2026-03-01', true],
        ['2026-02-28', false],
      ],
    );
    const lag = await brand.json('datasets', 'lag', '--all');
    assert.ok(lag.some((one: { brand_id: number }) => one.brand_id === brand.brandId));
  });

  it('waits for the job that aggregates many days', async () => {
    const brand = await newCliBrand();
    const args = ['datasets', 'aggregate', ...brandOf(brand), '--from', '2026-01-01', '--to', '2026-02-15'];
    assert.equal((await brand.json(...args)).days, 46);
    assert.match((await brand.json(...args, '--no-wait')).job_id, /^[0-9a-f-]{36}$/);
  });
});

describe('brandport learners', () => {
  const file = join(newHome(), 'learners.txt');

  it('excludes, includes and erases the learners of a file, and again without a change', async () => {
    const brand = await newCliBrand();
    const list = async () =>
      (await admin.directory.listLearners(brand.brandId).toArray()).map((one) => [
        one.tu_id,
        one.analytics_opt_out,
      ]);
    await admin.directory.putLearners(brand.brandId, {
      items: ['u1', 'u2', 'u3'].map((tu_id) => ({ tu_id })),
    });
    writeFileSync(file, '\ufeffu1\r\nu2\r\n\r\nu1\n');
    assert.deepEqual(await brand.json('learners', 'opt-out', ...brandOf(brand), '--file', file, '--yes'), {
      upserted: 2,
    });
    assert.deepEqual(await list(), [
      ['u1', true],
      ['u2', true],
      ['u3', false],
    ]);
    await brand.json('learners', 'opt-in', 'u1', ...brandOf(brand));
    assert.deepEqual((await list())[0], ['u1', false]);
    const erase = ['learners', 'erase', ...brandOf(brand), '--file', file];
    assert.equal((await brand.cli(erase)).code, 2);
    assert.deepEqual(await brand.json(...erase, '--yes'), { erased: 2, unknown: 0 });
    assert.deepEqual(await brand.json(...erase, '--yes'), { erased: 0, unknown: 2 });
    assert.deepEqual(await list(), [['u3', false]]);
  });

  it('reads standard input', async () => {
    const brand = await newCliBrand();
    const { code, stdout } = await brand.cli(
      ['learners', 'opt-out', ...brandOf(brand), '--file', '-', '--quiet'],
      { input: 'u9' },
    );
    assert.deepEqual([code, stdout], [0, '1\n']);
  });

  it('changes nothing if a line is no learner, and names it', async () => {
    const brand = await newCliBrand();
    const input = `u1\n${Array.from({ length: 7 }, (_, at) => `bad ${at}`).join('\n')}`;
    const { code, stderr } = await brand.cli(
      ['learners', 'erase', ...brandOf(brand), '--file', '-', '--yes'],
      { input },
    );
    assert.equal(code, 3);
    assert.match(
      stderr,
      /^error: 7 lines without a learner\. Nothing was changed\.\n {2}line 2: 'bad 0' is no tu_id\n/,
    );
    assert.match(stderr, / {2}and 2 more\n$/);
  });

  for (const [name, args, code] of [
    ['neither', ['learners', 'opt-out'], 2],
    ['both', ['learners', 'opt-out', 'u1', '--file', file], 2],
    ['a file that does not exist', ['learners', 'opt-out', '--file', join(file, 'x')], 3],
  ] as const)
    it(`refuses ${name} of arguments and a file`, async () => {
      const brand = await newCliBrand();
      assert.equal((await brand.cli([...args, ...brandOf(brand)])).code, code);
    });
});
