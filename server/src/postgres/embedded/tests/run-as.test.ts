import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { findBinaries } from '../binaries.ts';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { requireRunnable } from '../run-as.ts';
import { killAndWait, makeTestDir, query, quiet, startStandIn } from './embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
const asRoot = { skip: isRoot ? false : 'only root can become another user' };
const nobody = { uid: 65534, gid: 65534 };

/** A directory as root's own home: nobody else can enter it, and the programs are in it too. */
async function makeRootOnlyDir() {
  const dir = await makeTestDir({ after });
  await chmod(dir, 0o700);
  const binariesDir = join(dir, 'project', 'native');
  const source = findBinaries().root;
  await cp(source, binariesDir, { recursive: true, verbatimSymlinks: true });
  await cp(join(dirname(source), 'package.json'), join(dir, 'project', 'package.json'));
  return { dataDir: join(dir, 'project', 'data'), binariesDir };
}

test('as root, PostgreSQL runs as another user in a directory that only root may enter', asRoot, async () => {
  const { dataDir, binariesDir } = await makeRootOnlyDir();
  for (const sql of ['CREATE TABLE kept AS SELECT 7 AS n', 'SELECT n FROM kept']) {
    const log: string[] = [];
    const postgres = await startEmbeddedPostgres({
      dataDir,
      binariesDir,
      log: (_level, message) => log.push(message),
    });
    const rows = await query(postgres.connection, sql).finally(() => postgres.stop());
    assert.deepEqual(await postgres.exited, { code: 0, signal: null });
    if (sql.startsWith('SELECT')) assert.deepEqual(rows, [{ n: 7 }]);
    assert.ok(
      log.some((line) => /running as uid \d+ with the capability dac_override \(/.test(line)),
      log.join(),
    );
  }
  for (const path of [dataDir, join(dataDir, 'postgres')])
    assert.equal((await stat(path)).mode & 0o777, 0o700);
  assert.notEqual((await stat(join(dataDir, 'postgres'))).uid, 0);
});

test(
  'an ordinary user runs PostgreSQL as itself, and root afterwards runs it as that user',
  asRoot,
  async (t) => {
    const node = spawnSync(process.execPath, ['--version'], { ...nobody, cwd: '/' });
    const source = spawnSync('/bin/cat', [import.meta.filename], { ...nobody, cwd: '/' });
    if (node.status !== 0 || source.status !== 0) return t.skip('this checkout can be read by root only');

    const dataDir = await makeTestDir(t);
    await chown(dataDir, nobody.uid, nobody.gid);
    const standIn = startStandIn(t, { take: 'postgres', dataDir }, nobody);
    const answer = await standIn.answer;
    assert(answer.taken && answer.connection, JSON.stringify(answer));
    await query(answer.connection, 'CREATE TABLE kept AS SELECT 7 AS n');
    assert.equal((await stat(join(dataDir, 'postgres'))).uid, nobody.uid);
    await killAndWait(standIn.process);

    const asRootNow = await startEmbeddedPostgres({ dataDir, log: quiet });
    t.after(() => asRootNow.stop());
    assert.deepEqual(await query(asRootNow.connection, 'SELECT n FROM kept'), [{ n: 7 }]);
    assert.equal((await stat(join(dataDir, 'postgres'))).uid, nobody.uid);
  },
);

test('where it cannot be run, the error has the reason and what to type', async (t) => {
  const dir = await makeTestDir(t);
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const advice = isRoot ? /runuser -u brandport -- npm start/ : /a user with access to these folders/;
  for (const [wrapper, reason] of [
    [['no-such-tool'], /ENOENT/],
    [['/bin/sh', '-c', 'echo out of luck >&2; exit 3'], /out of luck/],
  ] as const)
    await assert.rejects(
      requireRunnable({ description: 'by a tool', owner, wrapper, ids: {} }, findBinaries(), [dir]),
      ({ name, message }: Error) =>
        name === 'EmbeddedPostgresError' &&
        /cannot be run by a tool/.test(message) &&
        reason.test(message) &&
        advice.test(message) &&
        /DATABASE_URL/.test(message),
    );
});
