import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Type } from 'typebox';
import { readOperation } from '../../api/operation.ts';
import { getProductOperation } from '../../catalog/products/product-operations.ts';
import { computeDigest } from '../conditional-read.ts';
import { digestOfSource, representationOf } from '../representation.ts';

const operationWith = (schema: ReturnType<typeof Type.Object>) =>
  readOperation({
    ...getProductOperation,
    method: 'GET',
    responses: { 200: { description: 'One.', schema } },
    handle: async () => ({ status: 200, body: {} }),
  });
const fields = { a: Type.Integer(), b: Type.Optional(Type.String()) };
const tagOf = (operation: ReturnType<typeof operationWith>) => computeDigest(operation, 'identity', 'state');

describe('the representation of an operation', () => {
  it('is in its tags: one field, one type, one bound in the schema moves them', () => {
    const tag = tagOf(operationWith(Type.Object(fields)));
    assert.equal(tagOf(operationWith(Type.Object(fields))), tag);
    const others = [
      { ...fields, c: Type.Null() },
      { ...fields, a: Type.Number() },
      { ...fields, a: Type.Integer({ minimum: 0 }) },
      { ...fields, b: Type.String() },
      { b: fields.b, a: fields.a },
    ].map((properties) => tagOf(operationWith(Type.Object(properties))));
    assert.equal(new Set([tag, ...others]).size, 6);
  });

  it('is the same in another process', async () => {
    const script = `const [operation, representation] = process.argv.slice(1);
      const { getProductOperation } = await import(operation);
      const { representationOf } = await import(representation);
      process.stdout.write(representationOf(getProductOperation));`;
    const modules = [join(import.meta.dirname, '../../catalog/products/product-operations.ts')];
    modules.push(join(import.meta.dirname, '../representation.ts'));
    const args = ['--input-type=module', '-e', script, ...modules];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    assert.equal(stdout, representationOf(getProductOperation));
  });
});

describe('the digest of the source', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'brandport-source-'));
  after(() => rm(dir, { recursive: true }));
  await mkdir(join(dir, 'wire/tests'), { recursive: true });
  const write = (file: string, text: string) => writeFile(join(dir, file), text);
  await write('wire/price.ts', 'round(4)');

  it('moves with the content and the name of any file, tests left out', async () => {
    const digests = [digestOfSource(dir)];
    const note = () => digests.push(digestOfSource(dir));
    await write('wire/tests/price.test.ts', 'a test');
    await write('wire/tests/prices.ts', 'test data');
    await write('readme.md', 'words');
    note();
    assert.equal(digests[1], digests[0]);
    await write('wire/price.ts', 'round(2)');
    note();
    await write('wire/tax.ts', '');
    note();
    await write('views.sql', 'select 1');
    note();
    await rm(join(dir, 'wire/tax.ts'));
    await write('tax.ts', '');
    note();
    assert.equal(new Set(digests).size, 5);
    await rm(join(dir, 'views.sql'));
    await rm(join(dir, 'tax.ts'));
    await write('wire/price.ts', 'round(4)');
    assert.equal(digestOfSource(dir), digests[0]);
    assert.notEqual(digestOfSource(dir, join(dir, 'wire')), digests[0]);
  });
});
