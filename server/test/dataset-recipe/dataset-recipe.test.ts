// nightly: copies the tree, type-checks it with a dataset more, and starts its server
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { projectDir, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { edited, fifthDataset } from './fifth-dataset.ts';

const run = promisify(execFile);

/** The product, what its documents are generated from, and the settings of the compiler. */
const parts = [
  ...['package.json', 'tsconfig.json', 'docs', 'deploy', 'client', 'cli', 'bench', 'extensions'],
  ...['console/package.json', 'console/tsconfig.json', 'console/src', 'console/scripts'],
  ...[
    'server/package.json',
    'server/src',
    'server/scripts',
    'server/database',
    'server/openapi.json',
    'server/openapi-internal.json',
  ],
];

/** Copies the tree without tests, with its own links to the packages of the workspace. Gone after the tests. */
async function copyTree(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'brandport-dataset-'));
  after(() => rm(dir, { recursive: true, force: true }));
  const isProduct = (path: string) =>
    !/\/(node_modules|tests?|dist|tarballs[^/]*)(\/|$)/.test(path.slice(projectDir.length));
  for (const part of parts)
    await cp(join(projectDir, part), join(dir, part), { recursive: true, filter: isProduct });
  // The benchmark starts it.
  const engine = 'extensions/clickhouse/test/support/clickhouse-engine.ts';
  await cp(join(projectDir, engine), join(dir, engine));
  await mkdir(join(dir, 'node_modules/@brandport'), { recursive: true });
  for (const name of await readdir(join(projectDir, 'node_modules')))
    if (name !== '@brandport' && name !== '.cache')
      await symlink(join(projectDir, 'node_modules', name), join(dir, 'node_modules', name));
  for (const name of ['client', 'cli', 'server'])
    await symlink(join(dir, name), join(dir, 'node_modules/@brandport', name));
  return dir;
}

async function addDataset(dir: string): Promise<void> {
  for (const [path, edits] of Object.entries(fifthDataset)) {
    const text = await readFile(join(dir, path), 'utf8').catch(() => '');
    await writeFile(join(dir, path), edited(text, edits));
  }
}

const recipe =
  /### Add a dataset\n([^#]+)/.exec(await readFile(join(projectDir, 'CONTRIBUTING.md'), 'utf8'))?.[1] ?? '';

// [D321]
describe('a fifth dataset', async () => {
  const dir = await copyTree();
  await addDataset(dir);

  it('has eight files, which the recipe names', () => {
    const files = Object.keys(fifthDataset);
    assert.equal(files.length, 8);
    for (const path of files) {
      const named = path.replace(/\/0005-efforts\.sql$/, '/').replace('efforts.ts', '<name>.ts');
      assert.ok(recipe.includes(`\`${named}`), `the recipe does not name ${named}`);
    }
  });

  it('needs no other change of the product for its types, in all packages', async () => {
    await run(process.execPath, [join(dir, 'server/scripts/generate.ts')], { cwd: dir });
    const tsc = join(projectDir, 'node_modules/.bin/tsc');
    for (const project of ['.', 'console'])
      await run(tsc, ['-p', project], { cwd: dir }).catch(({ stdout }) =>
        assert.fail(`tsc -p ${project}: ${stdout}`),
      );
  });

  it('is aggregated, served, examined, and in the status, the document, and the tables of the command line', async () => {
    const env = { DATABASE_URL: databaseUrl(await createDatabase()) };
    const server = await startServerProcess({ env, project: dir });
    const brand = await ok(server.admin.post('/brands', { name: 'Fifth' }), 201);
    const path = `/brands/${brand.id}`;
    const scopes = ['analytics.metrics:read', 'analytics.users:read'];
    const key = await ok(server.admin.post(`${path}/keys`, { name: 'BI', scopes }), 201);
    await ok(server.admin.put(`${path}/users`, { items: [{ tu_id: 'ann' }, { tu_id: 'ben' }] }));
    await ok(server.admin.put(`${path}/contents`, { items: [{ type: 'episode', tu_id: 'one' }] }));
    const days = ['2026-03-01', '2026-03-02'] as const;
    const items = days.flatMap((day, n) =>
      ['ann', 'ben'].map((user) => ({
        ...{ event_id: `${user}-${n}`, occurred_at: `${day}T10:00:00Z`, kind: 'view', user },
        ...{ content: { type: 'episode', tu_id: 'one' }, time_spent_seconds: 60, xp_earned: 5 },
      })),
    );
    await ok(server.admin.post(`${path}/events`, { items }));
    const { rows } = await ok(server.admin.post(`${path}/aggregations`, { from: days[0], to: days[1] }));
    assert.equal(rows.efforts, 4);

    const client = server.clientWith(key.api_key);
    const query = `/analytics/users/efforts?from=${days[0]}&to=${days[1]}`;
    const { data } = await ok(client.get(query));
    const metrics = { views: 1, xp_earned: 5, time_spent_seconds: 60 };
    const row = (user: string, n: 0 | 1) => ({
      ...{ date: days[n], user: { tu_id: user }, metrics, cumulative: { xp_earned: 5 * (n + 1) } },
    });
    assert.deepEqual(data, [row('ann', 0), row('ann', 1), row('ben', 0), row('ben', 1)]);
    const first = await ok(client.get(`${query}&per_page=3`));
    const rest = await ok(client.get(`${query}&per_page=3&cursor=${first.meta.next_cursor}`));
    assert.deepEqual([...first.data, ...rest.data], data);
    assert.equal((await ok(client.get('/analytics/status'))).datasets.efforts.latest_date, days[1]);
    const day = await ok(server.admin.get(`${path}/datasets/efforts/days/${days[1]}`));
    assert.deepEqual(day.figures, [row('ann', 1), row('ben', 1)]);
    assert.equal((await server.stop()).code, 0);

    const doctor = [join(dir, 'server/src/main.ts'), 'doctor'];
    const { stdout } = await run(process.execPath, doctor, { cwd: dir, env: { ...process.env, ...env } });
    assert.match(stdout, /everything adds up/);
    const { datasetTables } = await import(join(dir, 'cli/src/columns/datasets.ts'));
    assert.deepEqual(
      datasetTables.efforts.columns.map(({ name }: { name: string }) => name),
      [
        ...['date', 'user_tu_id', 'metrics_views', 'metrics_xp_earned', 'metrics_time_spent_seconds'],
        ...['cumulative_xp_earned', 'extra'],
      ],
    );
  });
});
