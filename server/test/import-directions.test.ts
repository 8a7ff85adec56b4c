import assert from 'node:assert/strict';
import { glob, readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { breachesIn, isForTests } from './import-directions/breaches.ts';
import { folderCirclesIn } from './import-directions/circles.ts';
import { namingBreachesIn } from './import-directions/extension-names.ts';
import { importsOf, type SourceFile } from './import-directions/source-imports.ts';

const sources = new URL('../src/', import.meta.url);

async function readSources(): Promise<SourceFile[]> {
  const patterns = ['**/*.ts', '../../extensions/*/src/**/*.ts'];
  const paths = await Array.fromAsync(glob(patterns, { cwd: sources.pathname }));
  return Promise.all(
    paths.sort().map(async (path) => ({ path, text: await readFile(new URL(path, sources), 'utf8') })),
  );
}

describe('the import directions', () => {
  it('hold in every file of the server', async () => {
    const files = await readSources();
    assert.ok(files.length > 100, `only ${files.length} files were found`);
    const imports = files.flatMap(importsOf);
    assert.ok(imports.length > 300, `only ${imports.length} imports were found`);
    assert.deepEqual(breachesIn(files), []);
  });

  // [D230]
  it('lead from the core to an extension in its loader only, and nothing else of the core names one', async () => {
    const extensions = await readdir(new URL('../../extensions/', sources));
    assert.ok(extensions.length > 0);
    assert.deepEqual(namingBreachesIn(await readSources(), extensions), []);
  });

  it('lead around no circle of folders', async () => {
    const files = (await readSources()).filter(({ path }) => !isForTests(path));
    assert.deepEqual(folderCirclesIn(files), []);
  });

  it('lead only to files that exist', async () => {
    const files = await readSources();
    const known = new Set(files.map(({ path }) => path));
    const inside = files.flatMap((file) => importsOf(file)).filter((path) => !path.startsWith('../'));
    assert.deepEqual(
      inside.filter((path) => !known.has(path)),
      [],
    );
  });
});

describe('the check of the import directions', () => {
  const breaches: Record<string, [path: string, text: string, expected: RegExp]> = {
    'an import from above': ['lib/ids.ts', `import { ApiError } from '../errors/api-error.ts';`, /is above/],
    'an import of a type from above': [
      'postgres/x.ts',
      `import type { Caller } from '../api/scopes.ts';`,
      /is above/,
    ],
    'an import over several lines': [
      'api/x.ts',
      `import {\n  a,\n  b,\n} from '../brands/brand.ts';`,
      /is above/,
    ],
    'an import for its effect alone': ['errors/x.ts', `import '../http/metrics.ts';`, /is above/],
    'an import at run time': ['access/x.ts', `const x = await import("../http/metrics.ts");`, /is above/],
    'something handed on': ['brands/x.ts', `export * from '../http/metrics.ts';`, /is above/],
    'a type in place': ['lib/x.ts', `type X = import('../errors/api-error.ts').ApiError;`, /is above/],
    'analytics in the catalog': [
      'catalog/products/x.ts',
      `import { a } from '../../analytics/a.ts';`,
      /stranger/,
    ],
    'the catalog in analytics': ['analytics/x.ts', `import { a } from '../catalog/a.ts';`, /stranger/],
    'access in brands': ['brands/x.ts', `import { a } from '../access/a.ts';`, /is above/],
    'variants in the stock': ['catalog/stock/x.ts', `import { a } from '../variants/a.ts';`, /higher folder/],
    'a folder in what all folders share': [
      'catalog/x.ts',
      `import { a } from './skus/a.ts';`,
      /higher folder/,
    ],
    'jobs in the doctor': ['doctor/x.ts', `import { a } from '../jobs/a.ts';`, /is above/],
    'main in serve': ['serve/x.ts', `import { a } from '../main.ts';`, /is above/],
    'the configuration in a feature': ['access/x.ts', `import type { C } from '../config.ts';`, /is above/],
    'the tests in the product': ['lib/x.ts', `import { a } from '../../test/support/a.ts';`, /outside/],
    'test data in the product': ['http/x.ts', `import { a } from './tests/refusals.ts';`, /for tests only/],
    'a folder without a layer': ['plugins/x.ts', '', /in no layer/],
    'an interface of ours that is extended from outside': [
      'analytics/x.ts',
      `declare module '../api/operation.ts' {\n  interface ServiceContext {}\n}`,
      /extends an interface/,
    ],
    'a global that is declared': ['http/x.ts', 'declare global {\n  interface Request {}\n}', /extends an/],
    'SQL next to a type': [
      'brands/brand.ts',
      `import { type Statement, statement } from '../postgres/statement.ts';`,
      /holds SQL/,
    ],
    'SQL in a service': [
      'brands/brand-service.ts',
      `import { statement } from '../postgres/statement.ts';`,
      /holds SQL/,
    ],
    'SQL in a string': ['brands/x.ts', 'const text = `select id, name\n from brands`;', /holds SQL/],
    'an insert': ['brands/x.ts', `const text = 'insert into brands (name) values (1)';`, /holds SQL/],
    'an update': ['brands/x.ts', 'const text = `update brands b\n  set name = 1`;', /holds SQL/],
    'a delete': ['brands/x.ts', `const text = "delete from brands";`, /holds SQL/],
    'tables of a statement': ['brands/x.ts', `const from = 'from brands b where b.id > 1';`, /holds SQL/],
    'a join': ['brands/x.ts', `const join = 'left join markets m on m.id = b.id';`, /holds SQL/],
    'a condition': ['brands/x.ts', `const condition = 'b.name = any ($1)';`, /holds SQL/],
    'SQL next to several operations': [
      'brands/list-brands.ts',
      `const listBrandsOperation = readOperation({\n  id: 'listBrands',\n});
const getBrandOperation = readOperation({\n  id: 'getBrand',\n});\nconst text = 'delete from brands';`,
      /holds SQL/,
    ],
    'SQL after an address in a string': [
      'brands/x.ts',
      `const url = 'http://x'; const text = 'delete from brands';`,
      /holds SQL/,
    ],
    'an extension in the core': [
      'doctor/x.ts',
      `import { a } from '../../../extensions/b/src/c.ts';`,
      /is of an extension/,
    ],
    'an extension that is loaded elsewhere': [
      'serve/x.ts',
      `const a = await import('../../../extensions/b/src/c.ts');`,
      /is of an extension/,
    ],
    'another extension in an extension': [
      '../../extensions/a/src/x.ts',
      `import { a } from '../../b/src/c.ts';`,
      /is of an extension/,
    ],
    'the command line in an extension': [
      '../../extensions/a/src/x.ts',
      `import { a } from '../../../server/src/commands/c.ts';`,
      /is above/,
    ],
    'tests of the core in an extension': [
      '../../extensions/a/src/x.ts',
      `import { a } from '../../../server/src/doctor/tests/c.ts';`,
      /for tests only/,
    ],
    'scripts of the core in an extension': [
      '../../extensions/a/src/x.ts',
      `import { a } from '../../../server/scripts/generate.ts';`,
      /neither of the core/,
    ],
    'the environment in a feature': ['access/x.ts', `const debug = process.env['DEBUG'];`, /environment/],
  };

  for (const [what, [path, text, expected]] of Object.entries(breaches))
    it(`finds ${what}`, () => {
      const found = breachesIn([{ path, text }]);
      assert.equal(found.length, 1, JSON.stringify(found));
      assert.match(found[0] as string, expected);
    });

  it('finds names of extensions in the core, in paths, texts and comments', () => {
    const naming = [
      'analytics/store/events-store.ts',
      'config.ts',
      'config.ts',
      'serve/load-extensions.ts',
      'tests/config.test.ts',
    ].map((path) => ({ path, text: 'WAREHOUSE' }));
    const found = namingBreachesIn(
      [
        ...naming,
        { path: 'usage/x.ts', text: `// As in warehouse.` },
        { path: 'doctor/tests/open-warehouse.test.ts', text: '' },
        { path: '../../extensions/warehouse/src/x.ts', text: 'warehouse' },
      ],
      ['shipping', 'warehouse'],
    );
    assert.deepEqual(found, [
      'usage/x.ts names an extension',
      'doctor/tests/open-warehouse.test.ts names an extension',
    ]);
    assert.deepEqual(namingBreachesIn(naming.slice(1), ['warehouse']), [
      'analytics/store/events-store.ts may name an extension and names none',
    ]);
  });

  it('finds folders that import each other', () => {
    const files: SourceFile[] = [
      { path: 'access/keys/a.ts', text: `import { b } from '../limits/routes/b.ts';` },
      { path: 'access/limits/c.ts', text: `import { d } from '../keys/d.ts';` },
      { path: 'access/tokens/e.ts', text: `import { d } from '../keys/d.ts';` },
    ];
    assert.deepEqual(folderCirclesIn(files), ['access/keys <-> access/limits']);
  });

  it('finds nothing in what is allowed', () => {
    const allowed: SourceFile[] = [
      {
        path: 'catalog/products/x.ts',
        text: `import { a } from '../../brands/brand.ts';\nimport { b } from './y.ts';`,
      },
      {
        path: 'http/x.ts',
        text: `import { a } from '../catalog/catalog-operations.ts';\nimport pg from 'pg';`,
      },
      { path: 'http/y.ts', text: `declare module 'fastify' {\n  interface FastifyRequest {}\n}` },
      {
        path: 'brands/x.ts',
        text: `const text = 'Select what to update, set it and delete it from the list.';`,
      },
      { path: 'brands/y.ts', text: `// select id from brands\n/* delete from brands */` },
      {
        path: 'brands/list-brands.ts',
        text: `const listBrandsOperation = readOperation({\n  id: 'listBrands',\n});\nconst text = 'select id from brands';`,
      },
      { path: 'brands/brand-store.ts', text: `import { statement } from '../postgres/statement.ts';` },
      { path: 'doctor/check.ts', text: `import type { Statement } from '../postgres/statement.ts';` },
      { path: 'lib/tests/x.test.ts', text: `import { a } from '../http/metrics.ts';` },
      { path: 'lib/x.ts', text: `// reads no process.env\nimport { randomBytes } from 'node:crypto';` },
      {
        path: 'serve/load-extensions.ts',
        text: `const { a } = await import('../../../extensions/b/src/c.ts');`,
      },
      {
        path: '../../extensions/a/src/move/x-store.ts',
        text: `import { a } from '../../../../server/src/serve/a.ts';\nimport { b } from '../store/b.ts';`,
      },
      { path: 'main.ts', text: `import { a } from './serve/x.ts';\nprocess.exit(a);` },
    ];
    assert.deepEqual(breachesIn(allowed), []);
  });
});
