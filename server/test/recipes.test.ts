import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { listSettings } from '../src/config.ts';
import { errorCatalogue } from '../src/errors/error-catalogue.ts';
import { internalOperations } from '../src/http/operations.ts';
import { analyticsSchema, mainSchema, readSchemaFiles } from '../src/postgres/schema/schema-files.ts';

// A recipe lists the files that an addition of its kind touches. Each is held against something of the kind that exists: the
// files that name it are those of the recipe, no more and no fewer.

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const contributing = read('CONTRIBUTING.md');

/** The files of the product that are written by hand. */
const product = globSync(['{server,client,cli,console,extensions}/**/*.{ts,tsx,sql}', 'deploy/**/*.env'], {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|tests?|generated|dist.*)$/.test(String(path)),
})
  .filter((path) => !/\/(node_modules|tests?|generated)\//.test(path))
  .map((path) => ({ path, text: read(path) }));

/** Lists the files of some folders that have one of the words. */
function filesNaming(words: readonly string[], folders: string): string[] {
  const word = new RegExp(`(?<![\\w-])(${words.join('|')})(?![\\w-])`);
  const isAsked = new RegExp(`^(${folders})`);
  return product
    .filter(({ path, text }) => isAsked.test(path) && word.test(text))
    .map(({ path }) => path)
    .sort();
}

/** Returns whether a recipe names a file; `<thing>` in its text stands for any name. */
function isNamed(recipe: string, path: string): boolean {
  const paths = [...recipe.matchAll(/`([\w./<>-]+)`/g)].map(([, name = '']) => name);
  const [unnamed, named] = ['[\\w./-]*', '[\\w-]+'];
  return paths.some((name) => {
    const pattern = name.replaceAll('.', '\\.').replaceAll(/<\w+>/g, named);
    return new RegExp(`(^|/)${pattern}${name.endsWith('/') ? unnamed : ''}$`).test(path);
  });
}

function recipeOf(title: string): string {
  const [, text] = new RegExp(`### ${title}\\n([\\s\\S]*?)\\n##`).exec(contributing) ?? [];
  assert.ok(text !== undefined, `there is no recipe "${title}"`);
  return text;
}

/** Asserts that the files that name something are the given ones, and that the recipe names each. */
function assertRecipe(title: string, files: readonly string[], expected: readonly string[]): void {
  assert.deepEqual(files, expected.toSorted());
  const recipe = recipeOf(title);
  for (const path of files) assert.ok(isNamed(recipe, path), `"${title}" does not name ${path}`);
}

describe('the recipe', () => {
  it('of an internal operation names the files of one, and each internal operation has a method of the SDK', () => {
    const words = ['listDatasetLags', 'listDatasetLagsOperation', 'DatasetLagWire'];
    assertRecipe('Add an internal operation', filesNaming(words, 'server|client'), [
      'client/src/admin/datasets.ts',
      'server/src/analytics/aggregation/aggregation-operations.ts',
      'server/src/analytics/analytics-operations.ts',
    ]);
    const sdk = product
      .filter(({ path }) => path.startsWith('client/src/admin/'))
      .map(({ text }) => text)
      .join('');
    const ids = internalOperations.map(({ id }) => id);
    assert.ok(ids.length > 50);
    assert.deepEqual(
      ids.filter((id) => !sdk.includes(`'${id}'`)),
      [],
    );
  });

  it('of an error code names the files of one with further keys, and each code has its page', () => {
    assertRecipe('Add an error code', filesNaming(['stock_version_conflict'], 'server|client'), [
      'client/src/errors.ts',
      'server/src/catalog/stock/adjust-stock.ts',
      'server/src/errors/error-catalogue.ts',
      'server/src/http/docs/client-document.ts',
      'server/src/http/docs/error-responses.ts',
    ]);
    const pages = Object.keys(errorCatalogue).map((code) => `docs/guides/errors/${code}.md`);
    assert.deepEqual(
      pages.filter((path) => !existsSync(new URL(path, root))),
      [],
    );
    assert.ok(isNamed(recipeOf('Add an error code'), pages[0] as string));
  });

  it('of a column of the console names its file, and columns are in pages, but for shared ones', () => {
    assertRecipe('Add a column to a list of the console', filesNaming(['Uncounted events'], 'console'), [
      'console/src/pages/datasets/datasets-page.tsx',
    ]);
    const withColumns = product.filter(
      ({ path, text }) => path.startsWith('console/') && /\bheader: '/.test(text),
    );
    assert.ok(withColumns.length > 10);
    for (const { path } of withColumns) assert.match(path, /^console\/src\/(pages\/|parts\/links\.tsx$)/);
  });

  it('of a setting names its files, and each setting is in all of them', () => {
    const expected = ['deploy/brandport.env', 'server/scripts/settings-page.ts', 'server/src/config.ts'];
    assertRecipe(
      'Add a setting',
      filesNaming(['BRANDPORT_RESPONSE_CACHE_MIB'], 'server|deploy|extensions|cli'),
      expected,
    );
    const page = read('server/scripts/settings-page.ts');
    const names = listSettings().map(({ name }) => name);
    assert.ok(names.length > 30);
    assert.deepEqual(
      names.filter((name) => !page.includes(`'${name}'`)),
      [],
    );
  });

  it('of a migration names its file and its state, and nothing else lists migrations', async () => {
    const recipe = recipeOf('Add a migration');
    for (const schema of [mainSchema, analyticsSchema]) {
      const folder = schema === mainSchema ? 'main' : 'analytics';
      for (const { name } of (await readSchemaFiles(schema)).migrations) {
        assert.ok(isNamed(recipe, `server/database/${folder}/migrations/${name}.sql`), name);
        assert.deepEqual(filesNaming([name], 'server/(src|scripts)|extensions|cli'), []);
        const states = globSync(`server/database/tests/states/*${folder}-${name.slice(0, 4)}*.sql`, {
          cwd: root,
        });
        assert.ok(states.length > 0, `${name} has no state`);
        for (const path of states) assert.ok(isNamed(recipe, path), path);
      }
    }
  });
});

it('a recipe that names another file, or lacks one, fails', () => {
  const files = filesNaming(['BRANDPORT_RESPONSE_CACHE_MIB'], 'server|deploy');
  assert.throws(() => assertRecipe('Add a setting', files.slice(1), files), /deepEqual|deep-equal/);
  assert.throws(() => assertRecipe('Add a guide', files, files), /"Add a guide" does not name/);
  assert.throws(() => recipeOf('Add a moon'), /there is no recipe/);
});
