import assert from 'node:assert/strict';
import { access, glob, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { noises } from './neighbours/noises.ts';

const root = new URL('../../', import.meta.url);
const page = await readFile(new URL('docs/shared-resources.md', root), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| resource |'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Files whose values outlive a request, and are no resource that requests compete for. */
const unshared: Readonly<Record<string, string>> = {
  'access/refusals/refusal.ts': 'part of the key usage recorder',
  'access/key-usage/usage-counts.ts': 'part of the key usage recorder',
  'access/refusals/unverified-refusals.ts': 'part of the key usage recorder',
  'analytics/events/event-intake.ts': 'of one request',
  'catalog/catalog-requests.ts': 'of one transaction',
  'catalog/stock/stock-changes.ts': 'of one transaction',
  'doctor/examine-analytics.ts': 'of one run of the doctor',
  'http/built-pages.ts': 'the pages that were built, which are the same for all',
  'http/docs/client-document.ts': 'the document, which is the same for all',
  'http/docs/internal-document.ts': 'the document, which is the same for all',
  'http/known-paths.ts': 'the paths of the service',
  'http/proxies.ts': 'a thousand addresses, cleared when there are more',
  'http/validation/validator.ts': 'the compiler of schemas',
  'http/representation.ts': 'digests of the source and of the operations, which are the same for all',
  'http/run-writes.ts': 'part of the queues of writes',
  'lib/owned-cache.ts': 'the cache itself',
  'lib/semaphore.ts': 'the turns themselves',
  'lib/source-time.ts': 'days as text, cleared when there are more than a few',
  'lib/versioned-entries.ts': 'part of the learners and contents that rows show',
  'main.ts': 'one run of a command',
  'postgres/embedded/data-dir.ts': 'the locked data directory',
  'postgres/pipelined-connection.ts': 'part of the short reads',
  'postgres/write-rows.ts': 'texts of statements, of which the code has a fixed number',
  'serve/create-services.ts': 'creates what is in the table',
};

/** Queues, caches, pools and collections that live longer than a call. */
const shared = [
  /new (?:Semaphore|OwnedCache|LRUCache|Threads|ShortReads)\b/,
  /new pg\.Pool\b/,
  /^(?:export )?let \w+/m,
  /^(?:export )?const \w+(?:: (?!Readonly)[^=\n]+)? = new (?:Map|Set)(?:<[^\n]*>)?\(\)/m,
  /^ {2}(?:readonly )?#\w+ = new (?:Map|Set)\b/m,
];

function isShared(text: string): boolean {
  return shared.some((pattern) => pattern.test(text));
}

async function listShared(): Promise<string[]> {
  const found: string[] = [];
  const src = new URL('server/src/', root);
  for await (const path of glob('**/*.ts', { cwd: src }))
    if (!path.includes('tests/') && isShared(await readFile(new URL(path, src), 'utf8'))) found.push(path);
  return found.sort();
}

describe('the table of what requests share', () => {
  it('names every file with a queue, a cache or a pool', async () => {
    const named = rows.map(([, , where = '']) => where.replaceAll('`', ''));
    const missing = (await listShared()).filter((path) => !named.includes(path) && !(path in unshared));
    assert.deepEqual(missing, []);
  });

  it('names files, tests and programs that exist', async () => {
    assert.ok(rows.length > 20);
    for (const [, resource, where = '', , , , heldBy = ''] of rows) {
      await access(new URL(`server/src/${where.replaceAll('`', '')}`, root));
      for (const [, path] of heldBy.matchAll(/\]\(\.\.\/([^)]+)\)/g))
        await access(new URL(path as string, root));
      const programs = heldBy.split(', ').filter((name) => /^[a-z-]+$/.test(name));
      assert.deepEqual(
        programs.filter((name) => !(name in noises)),
        [],
        resource,
      );
      assert.ok(heldBy !== '', resource);
    }
  });

  it('knows each program of a neighbour', () => {
    const named = rows.map(([, , , , , , heldBy = '']) => heldBy).join();
    assert.deepEqual(
      Object.keys(noises).filter((name) => !new RegExp(`\\b${name}\\b`).test(named)),
      [],
    );
  });

  it('would miss a new queue', () => {
    assert.ok(isShared('const turns = new Semaphore({ total: 1 });'));
    assert.ok(isShared('const waiting: string[] = [];\nlet last = 0;'));
    assert.ok(isShared('class A {\n  readonly #lines = new Map<string, Line>();\n}'));
    assert.ok(isShared('const seen = new Set<string>();'));
    assert.ok(!isShared('const names: ReadonlySet<string> = new Set(["a"]);\nfunction a() { let b = 1; }'));
  });
});
