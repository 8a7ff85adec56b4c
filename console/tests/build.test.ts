// processes: builds the console
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, describe, it } from 'node:test';
import { projectDir } from '../../server/test/support/server-process.ts';
import { computeStamp, findStamp } from '../scripts/source-stamp.ts';
import { distDir, ensureBuilt } from './support/built-console.ts';

const kilobyte = 1024;
const firstLoadLimit = 190 * kilobyte;
const chunkLimit = 60 * kilobyte;

async function gzippedSize(file: string): Promise<number> {
  return (await stat(join(distDir, `${file}.gz`))).size;
}

/** Copies everything that the build reads, without the installed packages. */
async function copySources(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'brandport-console-'));
  after(() => rm(copy, { recursive: true, force: true }));
  await mkdir(join(copy, 'client'), { recursive: true });
  const parts = ['console/src', 'console/scripts', 'console/index.html', 'console/package.json'];
  for (const part of [...parts, 'client/src', 'package.json', 'package-lock.json', 'tsconfig.json'])
    await cp(join(projectDir, part), join(copy, part), { recursive: true });
  return copy;
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function prepare(project: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const script = join(project, 'console/scripts/prepare.ts');
    execFile(process.execPath, [script], { cwd: project }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe('the build of the console', () => {
  before(ensureBuilt);

  // [D169]
  it('keeps the first load with its font under 190 KB and each chunk of a page under 60 KB, gzipped', async () => {
    const page = await readFile(join(distDir, 'index.html'), 'utf8');
    const first = [...page.matchAll(/(?:src|href)="\/console\/([^"]+\.(?:js|css))"/g)].map(
      ([, file]) => file as string,
    );
    assert.ok(
      first.some((file) => file.endsWith('.js')) && first.some((file) => file.endsWith('.css')),
      page,
    );
    const sizes = await Promise.all(['index.html', ...first].map(gzippedSize));
    const names = await readdir(join(distDir, 'assets'));
    const font = names.find((name) => /^inter-latin-wght-normal.*woff2$/.test(name)) ?? '';
    const { size: fontSize } = await stat(join(distDir, 'assets', font));
    const total = sizes.reduce((sum, size) => sum + size, fontSize);
    assert.ok(total <= firstLoadLimit, `the first load has ${total} bytes`);
    const chunks = (await readdir(join(distDir, 'assets')))
      .filter((name) => name.endsWith('.js'))
      .map((name) => `assets/${name}`)
      .filter((file) => !first.includes(file));
    assert.ok(chunks.length > 3, chunks.join());
    for (const chunk of chunks) {
      const size = await gzippedSize(chunk);
      assert.ok(size <= chunkLimit, `${chunk} has ${size} bytes`);
    }
  });

  it('has no inline script or style, which the served policy forbids', async () => {
    const page = await readFile(join(distDir, 'index.html'), 'utf8');
    assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
    assert.match(page, /class="shell"[\s\S]*Brandport/, 'the frame is shown before the script');
  });

  it('is skipped in one line without the tools, and not an error', async () => {
    const copy = await copySources();
    const { code, stderr, stdout } = await prepare(copy);
    assert.equal(code, 0);
    assert.equal(stdout, '');
    assert.match(stderr, /^The console is not built, .*npm ci --include=dev\n$/);
  });

  it('of `npm ci` is the one that the tests look at', async () => {
    const stamps = [projectDir, `${projectDir}/`].map((dir) => computeStamp(dir));
    assert.deepEqual([...new Set(await Promise.all(stamps))], [await findStamp(distDir)]);
  });

  it('is done once for the same sources, and again after a change', async () => {
    const copy = await copySources();
    await symlink(join(projectDir, 'node_modules'), join(copy, 'node_modules'));
    assert.match((await prepare(copy)).stderr, /^Built console\/dist in /);
    assert.equal((await prepare(copy)).stderr, '');
    await writeFile(join(copy, 'console/src/look/base.css'), ':root { color: red }');
    assert.match((await prepare(copy)).stderr, /^Built console\/dist in /);
  });

  it('is made once by several processes that start at the same time, also after one was killed in the middle', async () => {
    const copy = await copySources();
    await symlink(join(projectDir, 'node_modules'), join(copy, 'node_modules'));
    // No process has this id: it is above the largest that Linux allows.
    await writeFile(join(copy, 'console/dist-lock'), `4194305 ${Date.now()}`);
    const outcomes = await Promise.all([1, 2, 3].map(() => prepare(copy)));
    assert.deepEqual(
      outcomes.map(({ code, stderr }) => [code, stderr.startsWith('Built console/dist in ')]).sort(),
      [
        [0, false],
        [0, false],
        [0, true],
      ],
    );
    const left = (await readdir(join(copy, 'console'))).filter((name) => name.startsWith('dist'));
    assert.deepEqual(left, ['dist']);
  });

  it('fails clearly for a source that does not compile, and keeps the previous build', async () => {
    const copy = await copySources();
    await symlink(join(projectDir, 'node_modules'), join(copy, 'node_modules'));
    await cp(distDir, join(copy, 'console/dist'), { recursive: true });
    await writeFile(join(copy, 'console/src/main.tsx'), 'const = ;');
    const { code, stderr } = await prepare(copy);
    assert.equal(code, 1);
    assert.match(stderr, /The console could not be built: [\s\S]*main\.tsx/);
    const page = await readFile(join(copy, 'console/dist/index.html'), 'utf8');
    assert.equal(page, await readFile(join(distDir, 'index.html'), 'utf8'));
    assert.deepEqual(
      (await readdir(join(copy, 'console'))).filter((name) => name.startsWith('dist-')),
      [],
    );
  });
});
