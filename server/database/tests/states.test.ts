// processes: starts a server on a database at each saved state
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { describe, it } from 'node:test';
import { scopes } from '../../src/api/access.ts';
import { adjusted } from '../../src/catalog/stock/tests/stock.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { Database } from '../../src/postgres/database.ts';
import { migrate } from '../../src/postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema, readSchemaFiles } from '../../src/postgres/schema/schema-files.ts';
import { createDatabase, runSql } from '../../test/support/fresh-database.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { startServerProcess } from '../../test/support/server-process.ts';
import { databaseUrl } from '../../test/support/test-database.ts';
import { describeSchema } from './describe-schema.ts';
import { fillBySql, fillThroughApi } from './every-table.ts';
import { dumpSavedState, listStates, readRows, restoreState, statesFolder } from './schema-state.ts';

/** `UPDATE_STATES=1` writes the file of the current migrations, after a new one was added. */
const isUpdating = process.env['UPDATE_STATES'] === '1';

type Address = Awaited<ReturnType<typeof createDatabase>>;

async function withDatabase<T>(address: Address, work: (database: Database) => Promise<T>): Promise<T> {
  const database = new Database({ address, applicationName: 'brandport-test' });
  return work(database).finally(() => database.close());
}

async function upgrade(address: Address): Promise<string[]> {
  return [...(await migrate(address, mainSchema)), ...(await migrate(address, analyticsSchema))];
}

/** Writes the state of the current migrations; its file must not exist yet. */
async function writeState(): Promise<void> {
  const address = await createDatabase();
  const env = { DATABASE_URL: databaseUrl(address) };
  const server = await startServerProcess({ env });
  await fillThroughApi(server);
  assert.equal((await server.stop()).code, 0);
  await fillBySql(address);
  const numberOf = async (schema: string) => {
    const text = `select max(name) as name from ${schema}.schema_migrations`;
    return (await runSql<{ name: string }>(address, text))[0]?.name.slice(0, 4);
  };
  const file = `main-${await numberOf('public')}-analytics-${await numberOf('analytics')}.sql`;
  await writeFile(new URL(file, statesFolder), await withDatabase(address, dumpSavedState), { flag: 'wx' });
}

/** Matches the objects that differ between databases with the same schema: the partitions of months. */
const isOfItsTime = (object: string) =>
  /^(relation|column|constraint) .*analytics\.learning_events_\d/.test(object);

async function schemaOf(address: Address): Promise<string[]> {
  const objects = await withDatabase(address, describeSchema);
  return objects.filter((object) => !isOfItsTime(object));
}

/** Columns that a later migration has dropped. Their rows stay. */
const dropped: ReadonlySet<string> = new Set([
  'brands.closed_at',
  'brands.exported_at',
  'api_keys.brand_is_closed',
  'feed_tokens.brand_is_closed',
]);

/** The rows of all tables but the bookkeeping, without dropped columns. */
function keptRows(tables: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const kept = (table: string, row: string) =>
    JSON.stringify(
      JSON.parse(row, (column, value) => (dropped.has(`${table}.${column}`) ? undefined : value)),
    );
  return new Map(
    [...tables]
      .filter(([table]) => !/(^|\.)schema_/.test(table))
      .map(([table, rows]) => [table, rows.map((row) => kept(table, row)).sort()]),
  );
}

if (isUpdating) await writeState();

const states = await listStates();
const fresh = await createDatabase();
await upgrade(fresh);
const freshSchema = await schemaOf(fresh);

// [internal-52]
for (const file of states)
  describe(`a database at ${file}`, async () => {
    const address = await createDatabase();
    await restoreState(address, file);
    const before = await withDatabase(address, (database) => readRows(database));
    const columns = new Map(
      [...before].map(([table, [row]]) => [table, Object.keys(JSON.parse(row ?? '{}'))]),
    );

    it('has rows in every table', () => {
      assert.ok(before.size > 30, `${before.size} tables`);
      for (const [table, rows] of before) assert.ok(rows.length > 0, table);
    });

    it('has the schema of a fresh database after the upgrade, and its own rows', async () => {
      await upgrade(address);
      assert.deepEqual(await upgrade(address), []);
      assert.deepEqual(await schemaOf(address), freshSchema);
      // A migration may add columns; what was there stays.
      const after = keptRows(await withDatabase(address, (database) => readRows(database, columns)));
      for (const [table, rows] of keptRows(before)) assert.deepEqual(after.get(table), rows, table);
    });

    it('serves reads and writes, and the doctor finds nothing', async () => {
      const env = { DATABASE_URL: databaseUrl(address) };
      const server = await startServerProcess({ env });
      const { data: brands } = await ok(server.admin.get('/brands'));
      const key = await ok(server.admin.post(`/brands/${brands[0].id}/keys`, { name: 'New', scopes }), 201);
      const client = server.clientWith(key.api_key);
      const { data: products } = await ok(client.get('/catalog/products?sort=sku'));
      assert.deepEqual(
        products.map(({ sku }: { sku: string }) => sku),
        ['PARENT', 'SIMPLE'],
      );
      await adjusted(client, products[1].tu_id, { location: 'WH', quantity: 8 });
      await ok(client.get('/analytics/metrics/daily'));
      assert.equal((await server.stop()).code, 0);
      const { code, stdout, stderr } = await runCommand(env, 'doctor');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /Examined 1 brand: everything adds up\.\n$/);
    });
  });

describe('the saved states', () => {
  it('have one for each migration', async () => {
    const expected = async (line: typeof mainSchema) =>
      (await readSchemaFiles(line)).migrations.map(({ name }) => name.slice(0, 4));
    const saved = (pattern: RegExp) => new Set(states.map((file) => pattern.exec(file)?.[1]));
    for (const [line, pattern] of [
      [mainSchema, /main-(\d+)/],
      [analyticsSchema, /analytics-(\d+)/],
    ] as const)
      for (const number of await expected(line))
        assert.ok(
          saved(pattern).has(number),
          `${line.schema} ${number} has no state; run UPDATE_STATES=1 npm test -- server/database/tests/states.test.ts`,
        );
  });
});
