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
const definitionPlaces = ['docs/rules/*.md', 'docs/decisions/*.md'];
const citationPlaces = [
  '*.md',
  'docs/**/*.md',
  'server/{src,test,scripts}/**/*.{ts,sql,md}',
  // Not the migrations, which keep the citations of their time.
  'server/database/{tests,main/routines,main/views,analytics/routines}/**/*.{ts,sql,md}',
  'server/*.sql',
  'bench/**/*.{ts,md}',
  'cli/**/*.{ts,js,md}',
  'client/**/*.{ts,md}',
  'checks/**/*.{ts,md}',
  'console/**/*.{ts,tsx}',
  'extensions/**/*.{ts,md}',
];

/** Forms in which older comments cited documents that a reader of the repository does not have. */
const foreignForms = [
  /endpoint rules? \d+/gi,
  /\bendpoints? \d+(?: (?:to|and) \d+)?\./gi,
  /second round,? \d+/gi,
  /small print,? \d+/gi,
  /both domains \d+/gi,
  /\bdecisions?,? (?:catalog|analytics|D)[ ]?\d+/gi,
  /\bcontract, [^.]{0,20}/gi,
  /cross-cutting rules? \d+/gi,
  /\(D\d+[),;]/g,
];

/** Suites that other test files run are named `…-contract.ts`. */
const isTest = (path: string) => /(\.test|\/tests\/[^/]+-contract)\.ts$/.test(path);

async function readFiles(patterns: readonly string[]): Promise<TextFile[]> {
  const paths = await Array.fromAsync(
    glob([...patterns], {
      cwd: project,
      exclude: (path) => /(^|\/)(node_modules|generated)(\/|$)/.test(path),
    }),
  );
  return Promise.all(
    paths
      .filter((path) => path !== ownPath)
      .sort()
      .map(async (path) => ({ path, text: await readFile(project + path, 'utf8') })),
  );
}

/** Ids that a file of rules or a decision defines: `- **[catalog-1]** …` or `# [D1] …`, in order. */
function definedIds({ text }: TextFile): string[] {
  return [...text.matchAll(/^(?:- \*\*\[([a-z]+-\d+)\]\*\*|# \[(D\d+)\]) \S/gm)].map(
    ([, rule, decision]) => (rule ?? decision) as string,
  );
}

/** Ids that a file cites, in order; a definition is no citation of itself. */
function citedIds({ text }: TextFile): string[] {
  const withoutDefinitions = text.replaceAll(/^(?:- \*\*\[[a-z]+-\d+\]\*\*|# \[D\d+\])/gm, '');
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
      if (!id.startsWith(/^docs\/decisions\//.test(file.path) ? 'D' : `${subject}-`))
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

/** The text with the line breaks of comments removed, so that a phrase that wraps is found. */
function unwrapped(text: string): string {
  return text.replaceAll(/\n[ \t]*(?:\*|\/\/|--)?[ \t]*/g, ' ');
}

/** Citations of documents that are not in the repository. */
function foreignCitations(files: readonly TextFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const plain = unwrapped(text);
    return foreignForms.flatMap((form) =>
      [...plain.matchAll(form)].map(
        ([found]) => `${path} cites "${found}"; cite a rule or a decision by its id`,
      ),
    );
  });
}

/** Ids that a test file cites in the title of a test or suite, or in the comment directly above one. */
function idsCitedByTests({ text }: TextFile): string[] {
  const above = text.matchAll(/((?:^[ \t]*\/\/.*\n)+)(?=[ \t]*(?:describe|it|test|for)\b)/gm);
  const titles = text.matchAll(/\b(?:describe|it|test)\(\s*(['"`])(.*)\1/g);
  const cited = [...[...above].map(([, comment]) => comment), ...[...titles].map(([, , title]) => title)];
  return citedIds({ path: '', text: cited.join('\n') });
}

/** Rules that no test cites, and decisions that nothing cites. */
function uncitedIds(definitions: readonly TextFile[], files: readonly TextFile[]): string[] {
  const byTests = new Set(files.filter(({ path }) => isTest(path)).flatMap(idsCitedByTests));
  const byAnything = new Set(files.flatMap(citedIds));
  return definitions.flatMap(definedIds).flatMap((id) => {
    if (id.startsWith('D')) return byAnything.has(id) ? [] : [`nothing cites [${id}]`];
    return byTests.has(id) ? [] : [`no test cites [${id}]`];
  });
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

  it('exist in a test for every rule, and somewhere for every decision', async () => {
    assert.deepEqual(uncitedIds(await readFiles(definitionPlaces), await readFiles(citationPlaces)), []);
  });

  it('name nothing that is outside of the repository', async () => {
    assert.deepEqual(foreignCitations(await readFiles(citationPlaces)), []);
  });
});

describe('the check of citations', () => {
  const catalog = { path: 'docs/rules/catalog.md', text: '- **[catalog-1]** One.\n- **[catalog-2]** Two.\n' };
  const decisions = { path: 'docs/decisions/0001-first.md', text: '# [D1] First\n\nAs [catalog-1].\n' };

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
      ['server/database/a.sql', '-- [catalog-20]'],
      ['docs/x.md', 'See [catalog-1], [D12].'],
      ['docs/rules/catalog.md', '- **[catalog-1]** Other than [platform-1].'],
    ] as const)
      assert.equal(unresolvedCitations([catalog, decisions], [{ path, text }]).length, 1, text);
  });

  it('finds a rule that no test cites above a test or in its title, and a decision that nothing cites', () => {
    const definitions = [catalog, decisions];
    const uncited = (path: string, text: string) => uncitedIds(definitions, [decisions, { path, text }]);
    const none = ['no test cites [catalog-1]', 'no test cites [catalog-2]', 'nothing cites [D1]'];
    assert.deepEqual(uncited('server/src/a.ts', ''), none);
    const above = '// [catalog-1]\n// [catalog-2] [D1]\n  it("sorts", () => {});';
    assert.deepEqual(uncited('server/src/tests/a.test.ts', above), []);
    assert.deepEqual(uncited('server/src/tests/a-contract.ts', above), []);
    assert.deepEqual(uncited('server/src/tests/a.ts', above), none.slice(0, 2));
    const inTitle = "describe('sorting [catalog-1]', () => {\n  test(`by [catalog-2]`, x);\n});";
    assert.deepEqual(uncited('server/src/tests/a.test.ts', inTitle), none.slice(2));
    const elsewhere = '// [catalog-1]\nconst limit = 5; // [catalog-2]';
    assert.deepEqual(uncited('server/src/tests/a.test.ts', elsewhere), none);
  });

  it('finds citations of other documents, also where they wrap', () => {
    for (const text of [
      '/** Endpoint 26. */',
      '/** Endpoints 6 to 12. */',
      ' * (contract, endpoint\n *   rule 8).',
      '// decision Both\n// domains 10',
      '-- (decision Second round\n-- 6).',
      "describe('feeds (endpoint rule 12)'",
      '(decision, Small print 9)',
      'decisions Catalog 4',
      '(decision D54)',
      '(D18)',
    ])
      assert.ok(foreignCitations([{ path: 'a.ts', text }]).length > 0, text);
    const fine =
      'An endpoint. The decision. A second round of 3. Both domains. A contract. [D18] (as D18 says)';
    assert.deepEqual(foreignCitations([{ path: 'a.ts', text: fine }]), []);
  });

  it('finds nothing where every citation resolves', () => {
    const file = {
      path: 'server/src/a.ts',
      text: '// [catalog-1] [D1]\nconst x = map[key][0]; // [a-z] [x-1]',
    };
    assert.deepEqual(unresolvedCitations([catalog, decisions], [file, catalog, decisions]), []);
  });
});
