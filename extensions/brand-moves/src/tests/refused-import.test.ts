import assert from 'node:assert/strict';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { openBackup } from '../../../../server/src/backup/check-backup.ts';
import {
  type Address,
  backUp,
  filledDatabase,
  stateOf,
} from '../../../../server/src/backup/tests/backup-run.ts';
import { migrate } from '../../../../server/src/postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../../../server/src/postgres/schema/schema-line.ts';
import { createDatabase, runSql } from '../../../../server/test/support/fresh-database.ts';
import { withCell } from '../move-connection.ts';
import { removeBrand } from '../remove-brand.ts';
import { alone, exportTo, importFrom, newBrandFile } from './moved-brand.ts';

const cancelled = new AbortController().signal;
const source = await filledDatabase();
const full = await backUp(source);
const file = await exportTo(alone(source), 1);

/** A cell without brands, with events dropped as far as in the file. */
async function emptyCell(): Promise<Address> {
  const address = await createDatabase();
  for (const line of [mainSchema, analyticsSchema]) await migrate(address, line);
  await runSql(address, `select analytics.drop_events_before('2020-01-01')`);
  return address;
}

/** Sequences and partitions are prepared before the import; nothing else may differ. */
const rowsOf = async (address: Address) =>
  (await stateOf(address)).filter((statement) => statement.startsWith('INSERT'));

async function assertRefused(path: string, target: Address, message: RegExp): Promise<void> {
  const before = await rowsOf(target);
  await assert.rejects(importFrom(path, alone(target)), message);
  assert.deepEqual(await rowsOf(target), before, 'nothing was written');
}

// [D203]
describe('an import is refused', { concurrency: 2 }, () => {
  it('if the cell has the brand, and also right after it was imported', async () => {
    await assertRefused(file, source, /The brand 1 \(Kept\) is in this cell already/);
    const target = await emptyCell();
    await importFrom(file, alone(target));
    await assertRefused(file, target, /The brand 1 \(Kept\) is in this cell already/);
  });

  it('if a key of the brand is in the cell, though the brand is not', async () => {
    const target = await emptyCell();
    const [key] = await runSql<{ key_id: string }>(source, 'select key_id from api_keys limit 1');
    await runSql(
      target,
      `insert into brands (id, name) overriding system value values (9, 'Copy');
       insert into api_keys (brand_id, key_id, lineage_id, secret_sha256, name, scopes)
         values (9, '${key?.key_id}', 1, sha256('x'), 'Copy', '{catalog.products:read}')`,
    );
    await assertRefused(
      file,
      target,
      /A row of api_keys has an id that another brand of this cell has \(api_keys_key_id_unique\)/,
    );
  });

  it('if the schemas differ, in migrations or in the revision of routines', async () => {
    const target = await emptyCell();
    await runSql(target, 'update schema_revision set revision = revision - 1');
    await assertRefused(file, target, /Both cells have to run the same version/);
    const other = await emptyCell();
    await runSql(
      other,
      `delete from analytics.schema_migrations where name = (select max(name) from analytics.schema_migrations)`,
    );
    await assertRefused(file, other, /Both cells have to run the same version/);
  });

  it('if events were dropped up to another month', async () => {
    const target = await createDatabase();
    for (const line of [mainSchema, analyticsSchema]) await migrate(target, line);
    await assertRefused(file, target, /events since 2020-01-01, this cell from the beginning/);
  });

  it('if the file is damaged, truncated, or a backup; and a brand is not a backup', async () => {
    const target = await emptyCell();
    const bytes = await readFile(file);
    for (const at of [0.2, 0.5, 0.8]) {
      const damaged = await newBrandFile();
      const place = Math.floor(bytes.length * at);
      await writeFile(
        damaged,
        Buffer.concat([
          bytes.subarray(0, place),
          Buffer.from([(bytes[place] as number) ^ 0xff]),
          bytes.subarray(place + 1),
        ]),
      );
      const isUnharmed = await importFrom(damaged, alone(await emptyCell())).then(
        () => true,
        (error: Error) => !/damaged|no backup|truncated/.test(error.message),
      );
      // Padding between the members means nothing.
      if (isUnharmed) assert.equal(bytes[place], 0);
      await truncate(damaged, place);
      await assertRefused(damaged, target, /damaged|no backup|truncated/);
    }
    await assertRefused(full, target, /it is a backup of all brands/);
    await assert.rejects(
      openBackup(file, cancelled),
      /it has the brand 1 only; use `brandport brand import`/,
    );
  });

  it('and two at once add the brand once', async () => {
    const target = await emptyCell();
    const outcomes = await Promise.allSettled([
      importFrom(file, alone(target)),
      importFrom(file, alone(target)),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(await runSql(target, 'select count(*)::integer as brands from brands'), [{ brands: 1 }]);
  });
});

it('a brand moves back to its first cell after it was removed there', async () => {
  const [first, second] = [await filledDatabase(), await emptyCell()];
  await importFrom(await exportTo(alone(first), 1), alone(second));
  await withCell(alone(first), (cell) => removeBrand(cell, 1, { log: () => {}, cancelled }));
  await importFrom(await exportTo(alone(second), 1), alone(first));
  assert.deepEqual(await runSql(first, 'select id, closed_at from brands'), [{ id: 1, closed_at: null }]);
});
