import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n');

/** Every end of the path of a file that begins with a whole name: pages and comments name files by it. */
const known = new Set(
  tracked.flatMap((path) => {
    const names = path.split('/');
    return names.map((_, at) => names.slice(at).join('/'));
  }),
);

const fileName =
  /(?<![\w.<>*@}$…/-])\w[\w@-]*(?:\/[\w.@-]+)*(?:\.[\w-]+)*\.(?:tsx?|md|sql|js|css|sh)(?![\w.*])/g;

/** Returns the files that a page names outside of its code blocks, or a source in its comments. Another test reads links. */
function filesNamedIn(path: string, text: string): string[] {
  const prose = path.endsWith('.md')
    ? text.replaceAll(/^```[\s\S]*?^```/gm, '')
    : [...text.matchAll(/(?:^\s*(?:\/?\*|--|#)|(?<=^|\s)\/\/|\s--\s)(.*)$/gm)]
        .map(([, comment]) => comment)
        .join('\n');
  return [...prose.matchAll(fileName)].map(([name]) => name);
}

/** Guides name files of integrators; generated files have comments of their sources. */
const isRead = (path: string) =>
  /\.(tsx?|md|sql|js|sh)$/.test(path) &&
  !/^docs\/guides\/|\/generated\/|^server\/database\/tests\/states\//.test(path);

test('every file that a page, a decision or a comment names exists', async () => {
  const missing: string[] = [];
  let named = 0;
  for (const path of tracked.filter(isRead)) {
    const text = await readFile(new URL(path, root), 'utf8').catch(() => '');
    for (const name of filesNamedIn(path, text)) {
      named += 1;
      if (!known.has(name)) missing.push(`${path}: ${name}`);
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(named > 500, `only ${named} names were found`);
});

test('the check finds names in prose and comments, and no others', () => {
  const page = 'see `catalog/x.ts`, [y](../y.md), `<thing>.ts` and `-wire.ts`\n```sh\nnode z.ts\n```\n';
  assert.deepEqual(filesNamedIn('a.md', page), ['catalog/x.ts']);
  const source = "import './no.ts';\n// as of/yes.ts, and\n/** `this.sql` */\nconst a = 'no.md';\n";
  assert.deepEqual(filesNamedIn('a.ts', source), ['of/yes.ts', 'this.sql']);
  assert.ok(
    known.has('catalog/catalog-operations.ts') && !known.has('catalog/x.ts') && !known.has('perations.ts'),
  );
});
