import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { binariesIn, findBinaries } from '../binaries.ts';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import type { RunAs } from '../run-as.ts';
import { chooseRunAs, listRunAsCandidates } from '../run-as-candidates.ts';
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

async function serveOnce(
  dataDir: string,
  binariesDir: string,
  listRunAs: typeof listRunAsCandidates,
  sql: string,
) {
  const log: string[] = [];
  const postgres = await startEmbeddedPostgres({
    dataDir,
    binariesDir,
    listRunAs,
    log: (_level, message) => log.push(message),
  });
  const rows = await query(postgres.connection, sql).finally(() => postgres.stop());
  assert.deepEqual(await postgres.exited, { code: 0, signal: null });
  return { rows, how: log.find((line) => line.startsWith('embedded PostgreSQL running')) };
}

test('as root, PostgreSQL runs as another user in a directory that only root may enter', asRoot, async () => {
  const { dataDir, binariesDir } = await makeRootOnlyDir();
  const first = await serveOnce(
    dataDir,
    binariesDir,
    listRunAsCandidates,
    'CREATE TABLE kept AS SELECT 7 AS n',
  );
  assert.doesNotMatch(first.how ?? '', /runs as uid \d+ \(/, 'a mere change of the user cannot enter');
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);

  // every way that this machine allows, one after the other on the same data; the last is the first again
  const usable: string[] = [];
  const candidates = (await listRunAsCandidates(join(dataDir, 'postgres'))).length;
  for (const index of [...Array(candidates).keys(), 1]) {
    const only = async (clusterDir: string) =>
      (await listRunAsCandidates(clusterDir)).slice(index, index + 1);
    const [candidate] = await only(join(dataDir, 'postgres'));
    assert(candidate);
    if (!(await canRun(candidate, binariesDir, dataDir))) continue;
    const { rows } = await serveOnce(dataDir, binariesDir, only, 'SELECT n FROM kept');
    assert.deepEqual(rows, [{ n: 7 }], candidate.description);
    usable.push(candidate.description);
  }
  assert(usable.length > 0);
});

test('as root, a mere change of the user is enough where everything can be reached', asRoot, async (t) => {
  const { binariesDir, dataDir } = await makeRootOnlyDir();
  const root = dirname(dirname(dataDir));
  await chmod(root, 0o755);
  const open = join(root, 'open');
  const postgres = await startEmbeddedPostgres({ dataDir: open, binariesDir, log: quiet });
  await postgres.stop();
  await chmod(open, 0o711);
  const chosen = await chooseRunAs(
    await listRunAsCandidates(join(open, 'postgres')),
    binariesIn(binariesDir),
    [open],
  );
  assert.deepEqual(chosen.wrapper, []);
  const plain = await startEmbeddedPostgres({ dataDir: open, binariesDir, log: quiet });
  t.after(() => plain.stop());
  assert.deepEqual(await query(plain.connection, 'SELECT 1 AS n'), [{ n: 1 }]);
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

test('where no way works, the error lists each with its reason, and what to do', async (t) => {
  const dir = await makeTestDir(t);
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const candidates: RunAs[] = [
    { description: 'by a tool that is not there', owner, wrapper: ['no-such-tool'], ids: {} },
    {
      description: 'by a tool that fails',
      owner,
      wrapper: ['/bin/sh', '-c', 'echo out of luck >&2; exit 3'],
      ids: {},
    },
  ];
  await assert.rejects(chooseRunAs(candidates, findBinaries(), [dir]), {
    name: 'EmbeddedPostgresError',
    message: /not there: .*ENOENT.*tool that fails: out of luck.*unprivileged user.*DATABASE_URL/s,
  });
  await assert.rejects(chooseRunAs(candidates.slice(1, 1), binariesIn(dir), [dir]), {
    name: 'EmbeddedPostgresError',
  });
});

async function canRun(candidate: RunAs, binariesDir: string, dataDir: string): Promise<boolean> {
  return chooseRunAs([candidate], binariesIn(binariesDir), [binariesDir, dataDir]).then(
    () => true,
    () => false,
  );
}
