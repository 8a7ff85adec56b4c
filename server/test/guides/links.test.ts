import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildPages } from '../../scripts/built-pages/build-pages.ts';
import { renderGuide } from '../../scripts/built-pages/render-guide.ts';
import { projectDir } from '../support/server-process.ts';
import { createTestApps } from '../support/test-apps.ts';
import { brokenLinks } from './broken-links.ts';

await buildPages();
const apps = await createTestApps();
const serves = [
  { name: 'client', app: apps.clientApp, prefix: '' },
  { name: 'internal', app: apps.internalApp, prefix: '/internal' },
];

for (const { name, app, prefix } of serves)
  describe(`the links of the pages that the ${name} listener serves`, () => {
    it('lead to pages and headings that exist, also below a prefix of a proxy', async () => {
      const document = (await app.inject(`${prefix}/openapi.json`)).json();
      const operationIds = Object.values<object>(document.paths).flatMap((byMethod) =>
        Object.values(byMethod).map(({ operationId }) => operationId),
      );
      const broken = await brokenLinks(
        [`${prefix}/docs/guides/`, `${prefix}/docs/search?q=key`, `${prefix}/docs/search?q=xyzzyplugh`],
        async (path) => {
          const { statusCode, headers, body } = await app.inject(path);
          // The reference has its anchors from its script: the ids of the operations.
          const anchors = path === `${prefix}/docs/` ? operationIds.map((id) => `<a id="${id}">`) : [];
          const type = String(headers['content-type'] ?? '');
          return { status: statusCode, type, body: body + anchors.join('') };
        },
      );
      assert.deepEqual(broken.problems, []);
      assert.ok(broken.visited > 45, `${broken.visited} pages`);
    });

    it('are relative, so that any prefix works', async () => {
      for (const path of [
        '/docs/guides/',
        '/docs/guides/quick-start',
        '/docs/guides/errors/not_found',
        '/docs/search?q=key',
      ]) {
        const { body } = await app.inject(prefix + path);
        assert.doesNotMatch(body, /(?:href|src|action)="\//, path);
      }
    });
  });

describe('the links of the Markdown files in the repository', () => {
  it('lead to files and headings that exist', async () => {
    const cwd = projectDir;
    const names = ['*.md', 'docs/**/*.md', 'server/test/*.md', 'bench/{*,notes/*}.md'];
    const paths = (await Array.fromAsync(glob(names, { cwd }))).sort();
    assert.ok(paths.length > 50);
    const texts = new Map(
      await Promise.all(
        paths.map(async (path): Promise<[string, string]> => [path, await readFile(join(cwd, path), 'utf8')]),
      ),
    );
    const problems: string[] = [];
    for (const [path, text] of texts)
      for (const [, href = ''] of text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
        // Addresses of other hosts, and of what the listeners serve: the test above follows those.
        if (/^[a-z]+:|^\//.test(href)) continue;
        const [file = '', hash = ''] = href.split('#');
        const target = file === '' ? path : join(path, '..', file);
        if (hash === '' || !target.endsWith('.md')) {
          if (!(await exists(join(cwd, target)))) problems.push(`${path}: ${href}`);
        } else if (!headingIds(texts.get(target) ?? '').has(hash)) problems.push(`${path}: ${href}`);
      }
    assert.deepEqual(problems, []);
  });
});

function headingIds(markdown: string): Set<string> {
  const { html } = renderGuide({ slug: '', title: '', markdown });
  return new Set([...html.matchAll(/<h\d id="([^"]+)"/g)].map(([, id = '']) => id));
}

async function exists(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code === 'EISDIR',
  );
}
