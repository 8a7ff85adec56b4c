import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { operationRule, schemaNameRule } from './conventions/api-rules.ts';
import { constantRule, repeatedNames, testPlaceRule, widthRule } from './conventions/file-rules.ts';
import type { Rule, SourceFile } from './conventions/source-file.ts';

/** Every rule that looks at one file, with inputs that it refuses and a likely one that it accepts. */
const rules: Record<string, { rule: Rule; refused: SourceFile[]; accepted: SourceFile[] }> = {
  'test code is in tests/ folders': {
    rule: testPlaceRule,
    refused: [file('server/src/lib/ids.test.ts'), file('server/src/http/refusal.fixture.ts')],
    accepted: [
      file('server/src/lib/tests/ids.test.ts'),
      file('server/test/e2e/start.test.ts'),
      file('extensions/a/test/e2e/start.test.ts'),
    ],
  },
  'comments and SQL are at most 130 wide': {
    rule: widthRule,
    refused: [
      file('a.ts', `// ${'x'.repeat(130)}`),
      file('a.ts', `/**\n * ${'x'.repeat(130)}\n */`),
      file('a.ts', `\`\n  select a, ${'x'.repeat(130)}\n  from b\``),
    ],
    accepted: [file('a.ts', `// ${'x'.repeat(127)}`), file('a.ts', `const text = '${'x'.repeat(200)}';`)],
  },
  'constants are in camelCase': {
    rule: constantRule,
    refused: [file('a.ts', 'export const MAX_LINES = 3;'), file('a.ts', '  const PORT = 80;')],
    accepted: [file('a.ts', 'const maxLines = 3;\nexport const BrandWire = Type.Object({});')],
  },
  'schemas are named after their part of the exchange': {
    rule: schemaNameRule,
    refused: [file('server/src/brands/brand-wire.ts', 'export const BrandCreate = Type.Object({});')],
    accepted: [file('server/src/brands/brand-wire.ts', 'export const CreateBrandBody = Type.Object({});')],
  },
  'operations and their schemas are named after their id': {
    rule: operationRule,
    refused: [
      file('a/get-brand.ts', "export const getBrand = readOperation({\n  id: 'getBrand',"),
      file('a/key-operations.ts', "const getKey = readOperation({\n  id: 'getKey',"),
      operation('  body: BrandCreate,'),
      operation('  schema: Brand,'),
      operation("  schema: listOf(Brand, 'BrandPage'),"),
      operation('  async handle(tx) {'),
    ],
    accepted: [
      file('a/key-operations.ts', "const getKeyOperation = readOperation({\n  id: 'getKey',"),
      operation(
        "  body: PutBrandBody,\n    schema: listOf(BrandWire, 'BrandPage'),\n  handle: async (tx) => {",
      ),
    ],
  },
};

describe('the conventions', () => {
  let files: SourceFile[] = [];
  before(async () => {
    files = await readSources();
  });

  for (const [name, { rule }] of Object.entries(rules))
    it(`hold: ${name}`, () => {
      assert.ok(files.length > 500, `only ${files.length} files were found`);
      const findings = files.flatMap((one) => rule(one).map((finding) => `${one.path} ${finding}`));
      assert.deepEqual(findings, []);
    });

  it('hold: the server has no two files of one name', () => {
    assert.deepEqual(repeatedNames(files), []);
  });
});

describe('the check of the conventions', () => {
  for (const [name, { rule, refused, accepted }] of Object.entries(rules))
    it(`can fail: ${name}`, () => {
      for (const one of refused) assert.equal(rule(one).length, 1, `${one.path}\n${one.text}`);
      for (const one of accepted) assert.deepEqual(rule(one), [], `${one.path}\n${one.text}`);
    });

  it('can fail: the server has no two files of one name', () => {
    const paths = ['catalog/a/list.ts', 'access/list.ts', 'access/tests/list.ts', 'catalog/a/lists.ts'];
    const files = paths.map((path) => file(`server/src/${path}`));
    assert.deepEqual(repeatedNames(files), ['server/src/catalog/a/list.ts and server/src/access/list.ts']);
  });
});

function file(path: string, text = ''): SourceFile {
  return { path, text };
}

function operation(lines: string): SourceFile {
  return file(
    'server/src/brands/put-brand.ts',
    `export const putBrandOperation = writeOperation({\n  id: 'putBrand',\n${lines}\n});\n`,
  );
}

async function readSources(): Promise<SourceFile[]> {
  const root = new URL('../../', import.meta.url);
  const paths = await Array.fromAsync(
    glob(['{bench,cli,client,checks,extensions,server}/**/*.ts', 'console/**/*.{ts,tsx}'], {
      cwd: root.pathname,
    }),
  );
  return Promise.all(
    paths
      .filter((path) => !/(^|\/)(node_modules|generated|dist)\//.test(path))
      .sort()
      .map(async (path) => file(path, await readFile(new URL(path, root), 'utf8'))),
  );
}
