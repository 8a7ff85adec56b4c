import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

interface TextFile {
  /** From the project's directory. */
  readonly path: string;
  readonly text: string;
}

const project = new URL('../../', import.meta.url).pathname;
/** Left out: it holds citations that are wrong on purpose. */
const ownPath = 'server/test/citations.test.ts';
const definitionPlaces = ['docs/rules/*.md', 'docs/decisions.md'];
const citationPlaces = [
  '*.md',
  'docs/**/*.md',
  'server/{src,test,demo,scripts}/**/*.{ts,sql,md}',
  'server/{migrations,migrations-analytics,database}/**/*.sql',
  'server/*.sql',
  'bench/**/*.{ts,md}',
  'codegen/**/*.{ts,md}',
];

async function readFiles(patterns: readonly string[]): Promise<TextFile[]> {
  const paths = await Array.fromAsync(
    glob([...patterns], { cwd: project, exclude: (name) => /node_modules|generated/.test(name) }),
  );
  return Promise.all(
    paths
      .filter((path) => path !== ownPath)
      .sort()
      .map(async (path) => ({ path, text: await readFile(project + path, 'utf8') })),
  );
}

/** Ids that a file of rules or decisions defines: `- **[catalog-1]** …` or `### [D1] …`, in order. */
function definedIds({ text }: TextFile): string[] {
  return [...text.matchAll(/^(?:- \*\*\[([a-z]+-\d+)\]\*\*|### \[(D\d+)\]) \S/gm)].map(
    ([, rule, decision]) => (rule ?? decision) as string,
  );
}

/** Ids that a file cites, in order; a definition is no citation of itself. */
function citedIds({ text }: TextFile): string[] {
  const withoutDefinitions = text.replaceAll(/^(?:- \*\*\[[a-z]+-\d+\]\*\*|### \[D\d+\])/gm, '');
  return [...withoutDefinitions.matchAll(/\[((?:catalog|analytics|internal|platform)-\d+|D\d+)\]/g)].map(
    ([, id]) => id as string,
  );
}

/** Breaches of definitions alone: an id that is defined twice, or in the file of another subject. */
function definitionBreaches(definitions: readonly TextFile[]): string[] {
  const breaches: string[] = [];
  const seen = new Map<string, string>();
  for (const file of definitions) {
    const subject = file.path.replace(/^.*\/|\.md$/g, '');
    for (const id of definedIds(file)) {
      const earlier = seen.get(id);
      if (earlier !== undefined)
        breaches.push(`${file.path} defines [${id}], which ${earlier} defines already`);
      if (!id.startsWith(subject === 'decisions' ? 'D' : `${subject}-`))
        breaches.push(`${file.path} defines [${id}] of another subject`);
      seen.set(id, file.path);
    }
  }
  return breaches;
}

/** Citations of ids that no rule and no decision has. */
function unresolvedCitations(definitions: readonly TextFile[], files: readonly TextFile[]): string[] {
  const known = new Set(definitions.flatMap(definedIds));
  return files.flatMap((file) =>
    citedIds(file)
      .filter((id) => !known.has(id))
      .map((id) => `${file.path} cites [${id}], which does not exist`),
  );
}

describe('citations of rules and decisions', () => {
  it('have one definition for each id', async () => {
    const definitions = await readFiles(definitionPlaces);
    const count = definitions.flatMap(definedIds).length;
    assert.ok(count > 200, `only ${count} rules and decisions were found`);
    assert.deepEqual(definitionBreaches(definitions), []);
  });

  it('resolve', async () => {
    const files = await readFiles(citationPlaces);
    assert.ok(files.length > 500, `only ${files.length} files were found`);
    assert.deepEqual(unresolvedCitations(await readFiles(definitionPlaces), files), []);
  });
});

describe('the check of citations', () => {
  const catalog = { path: 'docs/rules/catalog.md', text: '- **[catalog-1]** One.\n- **[catalog-2]** Two.\n' };
  const decisions = { path: 'docs/decisions.md', text: '### [D1] First\n\nAs [catalog-1].\n' };

  it('finds an id that is defined twice, in one file or in two', () => {
    const twice = { ...catalog, text: '- **[catalog-1]** One.\n- **[catalog-1]** Another.\n' };
    assert.match(String(definitionBreaches([twice])), /defines \[catalog-1\], which .* defines already/);
    assert.equal(definitionBreaches([decisions, { ...decisions }]).length, 1);
    assert.deepEqual(definitionBreaches([catalog, decisions]), []);
  });

  it('finds a rule in the file of another subject', () => {
    const strayed = { path: 'docs/rules/analytics.md', text: catalog.text };
    assert.equal(definitionBreaches([strayed]).length, 2);
  });

  it('finds a citation that does not resolve, in code, SQL and Markdown', () => {
    for (const [path, text] of [
      ['server/src/a.ts', '/** Sorted by code [catalog-3]. */'],
      ['server/schema.sql', '-- [catalog-20]'],
      ['docs/x.md', 'See [catalog-1], [D12].'],
      ['docs/rules/catalog.md', '- **[catalog-1]** Other than [platform-1].'],
    ] as const)
      assert.equal(unresolvedCitations([catalog, decisions], [{ path, text }]).length, 1, text);
  });

  it('finds nothing where every citation resolves', () => {
    const file = {
      path: 'server/src/a.ts',
      text: '// [catalog-1] [D1]\nconst x = map[key][0]; // [a-z] [x-1]',
    };
    assert.deepEqual(unresolvedCitations([catalog, decisions], [file, catalog, decisions]), []);
  });
});
