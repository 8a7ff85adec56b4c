// processes: runs groups of files
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { describeUnfinished, listUnfinishedGroups } from '../group-progress.ts';
import { listFailed } from '../passed-files.ts';
import { planRun, type Ring } from '../run-plan.ts';
import { waitFor } from '../wait-for.ts';

const root = mkdtempSync(join(tmpdir(), 'brandport-plan-'));
after(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): string {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  return file;
}

/** Runs what `planRun` made of files, and answers the exit code with the reporter's text. */
async function run(
  entries: readonly string[],
  reporters = ['--test-reporter=spec'],
): Promise<{ code: number; text: string }> {
  const args = ['--test', ...reporters, ...entries];
  const options = { cwd: root, env: { PATH: process.env['PATH'] }, timeout: 120_000 };
  return promisify(execFile)(process.execPath, args, options).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, text: stdout }),
  );
}

const order = join(root, 'order');
const ends = (name: string) => `import { it, after } from 'node:test';
import { appendFileSync, readFileSync } from 'node:fs';
after(() => appendFileSync(${JSON.stringify(order)}, '${name} ended '));
`;
const passing = (name: string) => `${ends(name)}it('${name} passes', () => {});\n`;

describe('a whole run', () => {
  it('has every file once: in a group, or alone when it says so', () => {
    const shared = Array.from({ length: 23 }, (_, n) => write(`server/src/f${n}.test.ts`, ''));
    const own = write('server/src/own.test.ts', '// own process: it measures memory\n');
    const entries = planRun(root, [...shared, own], join(root, 'groups'));
    assert.deepEqual(entries.slice(0, 1), [own]);
    assert.equal(entries.filter((entry) => entry.includes('group-')).length, 3);
  });

  it('refuses a file that names its ring behind other lines', () => {
    const file = write(
      'server/src/late.test.ts',
      "import './x.ts';\n// processes, alone: starts a browser\n",
    );
    assert.throws(
      () => planRun(root, [file], join(root, 'late')),
      /late\.test\.ts names its ring, but not in/,
    );
  });

  it('has the files of the named rings', () => {
    const files = [
      write('server/src/plain.test.ts', ''),
      write('server/src/long.test.ts', '// nightly: a minute of random writes\n'),
      write('server/test/e2e/long.test.ts', '// nightly: kills servers for a minute\n'),
      write('server/test/e2e/short.test.ts', '// own process: counts its files\n'),
      write('server/src/short.test.ts', '// processes, alone: starts a browser\n'),
      write('extensions/a/src/tests/a.test.ts', '// processes, alone: starts an engine\n'),
      write('extensions/a/src/tests/long.test.ts', '// nightly: a minute\n'),
    ];
    const named = files as [string, string, string, string, string, string, string];
    const [plain, long, longStart, inFolder, marked, added, addedLong] = named;
    const plan = (...rings: Ring[]) => {
      const dir = join(root, `${rings.join('-')}-groups`);
      return planRun(root, files, dir, rings).map((entry) => (entry.startsWith(dir) ? plain : entry));
    };
    assert.deepEqual(plan('quick'), [plain]);
    assert.deepEqual(plan('processes'), [marked, inFolder]);
    assert.deepEqual(plan('extensions'), [added]);
    assert.deepEqual(plan('nightly'), [addedLong, long, longStart]);
    assert.deepEqual(plan('quick', 'processes', 'extensions'), [added, marked, inFolder, plain]);
  });

  it('ends the hooks of a file before the next one begins', async () => {
    const late = `${ends('b')}it('b passes', () => {
  if (readFileSync(${JSON.stringify(order)}, 'utf8') !== 'a ended ') throw new Error('too early');
});`;
    const files = [write('two/a.test.ts', passing('a')), write('two/b.test.ts', late)];
    const { code, text } = await run(planRun(root, files, join(root, 'two-groups')));
    assert.equal(code, 0, text);
    assert.match(text, /two\/a\.test\.ts[\s\S]*a passes[\s\S]*two\/b\.test\.ts[\s\S]*b passes[\s\S]*pass 2/);
  });

  it('fails with the name of a file that does not load, and runs the others', async () => {
    const files = [write('bad/a.test.ts', `throw new Error('broken')`), write('bad/b.test.ts', passing('b'))];
    const { code, text } = await run(planRun(root, files, join(root, 'bad-groups')));
    assert.equal(code, 1);
    assert.match(text, /✖ bad\/a\.test\.ts/);
    assert.match(text, /b passes/);
    assert.deepEqual(listUnfinishedGroups(join(root, 'bad-groups')), []);
  });

  for (const [what, end] of [
    ['exits', 'process.exit(0)'],
    ['is killed', `process.kill(process.pid, 'SIGKILL')`],
  ] as const)
    it(`names the file that was running when the process ${what}, and those that did not run`, async () => {
      const name = (file: string) => `ended/${what}/${file}.test.ts`;
      const files = [
        write(name('a'), passing('a')),
        write(name('b'), `${end};\n`),
        write(name('c'), passing('c')),
      ];
      const dir = join(root, `${what}-groups`);
      await run(planRun(root, files, dir));
      const [group] = listUnfinishedGroups(dir);
      assert.ok(group);
      assert.equal(
        describeUnfinished(group),
        `✖ ${name('b')}: the process exited while it ran. These files did not run: ${name('c')}.`,
      );
    });

  it('knows which entries failed: those with a failed test, and those that ended before they were done', async () => {
    const passed = write('retry/passed.test.ts', passing('a'));
    const failed = write(
      'retry/failed.test.ts',
      `import { it } from 'node:test'; it('x', () => { throw 1; });`,
    );
    const killed = write('retry/killed.test.ts', `process.kill(process.pid, 'SIGKILL');`);
    const entries = [passed, failed, killed];
    const passedFile = join(root, 'retry/passed');
    const reporter = new URL('../passed-files.ts', import.meta.url).href;
    await run(entries, [`--test-reporter=${reporter}`, `--test-reporter-destination=${passedFile}`]);
    assert.deepEqual(listFailed(root, entries, passedFile), [failed, killed]);
  });

  it('runs the exit handlers of its files when it is interrupted', async () => {
    const started = join(root, 'interrupted-started');
    const stopped = join(root, 'interrupted-stopped');
    const text = `import { writeFileSync } from 'node:fs';
process.once('exit', () => writeFileSync(${JSON.stringify(stopped)}, ''));
writeFileSync(${JSON.stringify(started)}, '');
await new Promise((resolve) => setTimeout(resolve, 100_000));
`;
    const entries = planRun(root, [write('interrupted/a.test.ts', text)], join(root, 'interrupted-groups'));
    const runner = spawn(process.execPath, ['--test', ...entries], {
      cwd: root,
      env: { PATH: process.env['PATH'] },
      stdio: 'ignore',
    });
    await waitFor('the file', () => existsSync(started), 60_000);
    runner.kill('SIGTERM');
    await waitFor('its exit handler', () => existsSync(stopped), 60_000);
  });

  for (const [what, text] of [
    ['the variable BRANDPORT_LEFT', `process.env['BRANDPORT_LEFT'] = 'x'`],
    ['Date.now', `Date.now = () => 0`],
    ['listeners of warning', `process.on('warning', () => {})`],
  ])
    it(`fails a file that leaves ${what} changed`, async () => {
      const file = write(
        `left/${what}.test.ts`,
        `import { it } from 'node:test';\nit('x', () => { ${text}; });\n`,
      );
      const ran = await run(planRun(root, [file], join(root, `left-groups`)));
      assert.equal(ran.code, 1);
      assert.ok(ran.text.includes(`It leaves changed: ${what}.`), ran.text);
    });
});
