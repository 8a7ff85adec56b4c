import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The files of the catalog, without tests. */
const files = globSync('server/src/catalog/**/*.ts', { cwd: root }).filter(
  (path) => !path.includes('/tests/'),
);

/** Returns the files that define a property with one of these names, once for each definition, in order. */
function placesOf(names: string): string[] {
  const definition = new RegExp(`^ *(readonly )?(${names}):`, 'gm');
  return files.flatMap((path) => [...read(path).matchAll(definition)].map(() => path)).sort();
}

const [, recipe = ''] =
  /### Add a field to products or variants\n([^#]+)/.exec(read('CONTRIBUTING.md')) ?? [];
const [ofProducts = '', ofVariants = ''] = recipe.split('For variants:');
const namedIn = (text: string) =>
  [...text.matchAll(/`(catalog\/[\w/-]+\.ts)`/g)].map(([, path]) => `server/src/${path}`).sort();

it('a field of products has seven places in three files: the migration and those of the recipe', () => {
  const places = placesOf('taxClass|tax_class');
  assert.deepEqual([...new Set(places)], namedIn(ofProducts));
  assert.deepEqual([places.length + 1, new Set(places).size + 1], [7, 3]);
});

it('a field of variants is in the files of the recipe', () => {
  const files = [...new Set(placesOf('barcode'))];
  assert.deepEqual(files, namedIn(ofVariants));
  assert.equal(files.length, 2);
});

it('the recipes name files that exist', () => {
  const [, recipes = ''] = read('CONTRIBUTING.md').split('## Recipes');
  const named = [...recipes.matchAll(/[` ]((?:server|client|console|cli|checks)\/[\w/.-]+\.[a-z]+)/g)].map(
    ([, path]) => `${path}`,
  );
  assert.deepEqual(
    named.filter((path) => !existsSync(new URL(path, root))),
    [],
  );
  assert.ok(named.length > 20);
});

it('a page of the console has its words', () => {
  const shared = globSync('console/src/**/messages.ts', { cwd: root });
  assert.deepEqual(shared, ['console/src/parts/messages.ts']);
  assert.match(
    read('CONTRIBUTING.md'),
    /`console\/src\/parts\/messages\.ts` has the words that several pages share/,
  );
});
