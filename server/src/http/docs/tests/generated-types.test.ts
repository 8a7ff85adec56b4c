import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { documents } from './document-reader.ts';

for (const { name, reader } of documents) {
  const { schemas } = reader.root.components;

  describe(`${name}, for generators of clients`, () => {
    it('has no prohibition, and a default on parameters alone', () => {
      for (const { path, node } of reader.nodes()) {
        if (node.properties === undefined) continue;
        for (const [property, schema] of Object.entries<object>(node.properties)) {
          assert.ok(!('not' in schema), `${path}/${property}`);
          assert.ok(!('default' in schema), `${path}/${property}`);
        }
      }
    });

    it('has no object of which nothing is said', () => {
      for (const { path, node } of reader.nodes())
        if ([node.type].flat().includes('object') && !path.endsWith('/properties'))
          assert.ok(node.properties !== undefined || node.additionalProperties !== undefined, path);
    });

    it('names no schema like something that every program has', () => {
      for (const schema of Object.keys(schemas)) assert.ok(!(schema in globalThis), schema);
    });

    it('names the codes of every error response, each by its own schema, told apart by `code`', () => {
      for (const { title, content } of reader.bodies((status) => status >= 400)) {
        if (title.endsWith(' request')) continue;
        const { oneOf = [content.schema], discriminator } = content.schema;
        const codes = oneOf.map((part: object) => reader.resolve(part).allOf[1].properties.code.const);
        assert.deepEqual(Object.keys(content.examples), codes, title);
        if (discriminator === undefined) assert.equal(codes.length, 1, title);
        else {
          assert.equal(discriminator.propertyName, 'code');
          const references = oneOf.map(({ $ref }: { $ref: string }) => $ref);
          assert.deepEqual(
            Object.entries(discriminator.mapping),
            codes.map((code: string, at: number) => [code, references[at]]),
            title,
          );
        }
      }
    });

    it('leaves `code` open in the envelope, for codes that are still to come', () => {
      const known = { code: 'not_found', message: 'No.', doc_url: '/docs/guides/errors/not_found' };
      for (const error of [known, { ...known, code: 'not_thought_of_yet', more: 1 }])
        assert.equal(reader.problem({ $ref: '#/components/schemas/ApiError' }, error), null);
      assert.notEqual(
        reader.problem({ $ref: '#/components/schemas/NotFound' }, { ...known, code: 'other' }),
        null,
      );
      assert.notEqual(reader.problem({ $ref: '#/components/schemas/ValidationFailed' }, known), null);
    });
  });
}
