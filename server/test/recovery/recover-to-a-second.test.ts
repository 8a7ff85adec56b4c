// nightly: recovers a database from an archive
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { AdjustLoad } from '../failover/adjust-load.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { PostgresNode } from '../support/replication/postgres-node.ts';
import { runCommand } from '../support/run-command.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

/** Writes between the steps. */
const some = 100;
/** Rows that are in the base backup, so that its recovery can be measured. */
const ballastRows = 1_500_000;

// docs/recovery.md [D237]. Does what pgBackRest does: an archive of WAL, and a base backup between start and stop.
test('a recovery to a second of a load has every earlier write once and no later one, and clients send the rest again', async (t) => {
  const primary = await PostgresNode.createPrimary({ isArchived: true });
  const env = { ...unlimitedCatalog, DATABASE_URL: primary.url(), BRANDPORT_DATA_DIR: await makeDataDir() };
  const server = await startServerProcess({ env });
  const load = await AdjustLoad.start(server, 'point');
  const more = async (what: string) => {
    const before = load.acknowledged;
    await waitFor(what, () => load.acknowledged > before + some, 60_000);
  };
  await more('writes before the base backup');
  await primary.sql(
    `create table ballast as select n, md5(n::text) as text from generate_series(1, ${ballastRows}) n`,
  );
  const copiedAt = performance.now();
  const base = await primary.backUp('base');
  const copySeconds = (performance.now() - copiedAt) / 1_000;
  await more('writes after the base backup');
  const until = new Date();
  await more('writes that will be lost');
  await load.stop();
  await primary.archiveAll();
  assert.equal((await server.stop()).code, 0);
  await primary.kill();
  await rm(primary.dataDir, { recursive: true });

  const startedAt = performance.now();
  await base.recover(primary.archiveDir, until);
  const seconds = (performance.now() - startedAt) / 1_000;
  const lost = await load.checkRecovered((text) => base.sql(text), until.getTime());
  assert.ok(lost >= some, `${lost} writes are lost`);
  const [size] = await base.sql<{ gb: number }>(
    `select sum(pg_database_size(oid))::float8 / 1e9 as gb from pg_database`,
  );
  t.diagnostic(
    `${size?.gb.toFixed(2)} GB: copied in ${copySeconds.toFixed(1)} s, recovered in ${seconds.toFixed(1)} s; ${lost} writes lost`,
  );
  const recovered = { ...env, DATABASE_URL: base.url() };
  const raised = await runCommand(recovered, 'after-recovery');
  assert.equal(raised.code, 0, raised.stderr);
  const doctor = () => runCommand(recovered, 'doctor');
  assert.match((await doctor()).stdout, /everything adds up/);

  const again = await startServerProcess({ env: recovered });
  // From before the second: what was not lost is replayed.
  await load.sendAgain(again, until.getTime() - 1_000);
  await load.check((text) => base.sql(text));
  assert.match((await doctor()).stdout, /everything adds up/);
  assert.equal((await again.stop()).code, 0);
});
