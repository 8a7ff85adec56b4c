import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api-client.ts';
import { validateAgainstDocument } from '../../../../test/support/document-validation.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { clientDocument } from '../client-document.ts';
import { internalDocument } from '../internal-document.ts';
import { documentText } from '../openapi-document.ts';
import { DocumentReader, documents } from './document-reader.ts';

const apps = await createTestApps();

describe('the served documents', () => {
  it('are those of the operations: run `npm run generate` when this fails', async () => {
    const client = await apps.clientApp.inject('/openapi.json');
    assert.equal(client.body, documentText(clientDocument()));
    const internal = await apps.internalApp.inject('/internal/openapi.json');
    assert.equal(internal.body, documentText(internalDocument()));
  });

  it('are on both listeners, each its own', async () => {
    assert.equal((await apps.clientApp.inject('/internal/openapi.json')).statusCode, 404);
    assert.equal((await apps.internalApp.inject('/openapi.json')).statusCode, 404);
  });
});

for (const { name, reader } of documents) {
  describe(name, () => {
    it('has an example for every success and every JSON request, which its own schema accepts', () => {
      const bodies = reader
        .bodies((status) => status < 300)
        .filter(({ mediaType }) => mediaType === 'application/json');
      assert.ok(bodies.length > 0);
      for (const { title, content } of bodies) {
        assert.ok(content.example !== undefined, `${title} has no example`);
        assert.equal(reader.problem(content.schema, content.example), null, title);
      }
    });

    it('has an example of every error, which is an error as the schema describes it', () => {
      for (const { title, content } of reader.bodies((status) => status >= 400)) {
        if (content.examples === undefined) continue;
        for (const [code, { value }] of Object.entries<{ value: { code: string } }>(content.examples)) {
          assert.equal(value.code, code, title);
          assert.equal(reader.problem(content.schema, value), null, title);
        }
      }
    });

    it('has an example of every parameter, which its schema accepts', () => {
      for (const { title, operation } of reader.operations())
        for (const node of operation.parameters) {
          const { name: parameter, schema, example } = reader.resolve(node);
          assert.ok(example !== undefined, `${title} ${parameter} has no example`);
          assert.equal(reader.problem(schema, example), null, `${title} ${parameter}`);
        }
    });

    it('has no empty description or summary', () => {
      for (const { path, node } of reader.nodes())
        for (const key of ['description', 'summary'])
          if (key in node && typeof node[key] === 'string') assert.ok(node[key].trim().length > 1, path);
      for (const { title, operation } of reader.operations()) {
        assert.equal(typeof operation.summary, 'string', title);
        assert.equal(typeof operation.description, 'string', title);
        for (const [status, response] of Object.entries(operation.responses))
          assert.equal(typeof reader.resolve(response).description, 'string', `${title} ${status}`);
      }
    });

    it('refers only to what it has', () => {
      for (const { path, node } of reader.nodes())
        if ('$ref' in node) assert.ok(reader.resolve(node) !== undefined, `${path}: ${node.$ref}`);
    });

    it('has only components that something refers to', () => {
      const text = JSON.stringify(reader.root);
      for (const kind of ['schemas', 'parameters', 'headers', 'responses'])
        for (const component of Object.keys(reader.root.components[kind]))
          assert.ok(text.includes(`"#/components/${kind}/${component}"`), `${kind}/${component}`);
    });

    it('names every body (`NamedObject`), so that generated clients do', () => {
      for (const { title, mediaType, content } of reader.bodies(() => true)) {
        if (mediaType !== 'application/json') continue;
        const parts = content.schema.oneOf ?? [content.schema];
        for (const part of parts) assert.ok(part.$ref !== undefined, title);
      }
    });

    it('has an operationId for every operation, each once, and every tag that they use', () => {
      const operations = reader.operations().map(({ operation }) => operation);
      const ids = operations.map(({ operationId }) => operationId);
      assert.deepEqual(ids, [...new Set(ids)]);
      const used = new Set(operations.flatMap(({ tags }) => tags));
      assert.deepEqual([...used].sort(), reader.root.tags.map((tag: { name: string }) => tag.name).sort());
    });

    it('has a null type in a list of types, never alone and never as a keyword of older versions', () => {
      for (const { path, node } of reader.nodes()) {
        assert.ok(!('nullable' in node), path);
        assert.notEqual(node.type, 'null', path);
      }
    });
  });
}

describe('the reader of these tests', () => {
  it('notices an example that its schema refuses', () => {
    const reader = new DocumentReader({ components: { schemas: { A: { type: 'integer' } } } });
    assert.equal(reader.problem({ $ref: '#/components/schemas/A' }, 1), null);
    assert.match(reader.problem({ $ref: '#/components/schemas/A' }, 'one') ?? '', /must be integer/);
  });
});

// [platform-86]
describe('the API clients of the tests', () => {
  it('notice a status, a code, a field and a header that are not as documented', async () => {
    const { client } = await apps.newBrand();
    const path = '/catalog/products/nothing';
    const response = await client.get(path);
    const { json } = response;
    const check = (change: Partial<ApiResponse>) => () =>
      validateAgainstDocument('GET', `/v1/client${path}`, { ...response, ...change });
    check({})();
    assert.throws(check({ status: 418 }), /418 is not documented/);
    for (const code of ['teapot', 'duplicate_sku'])
      assert.throws(check({ json: { ...json, code } }), /allowedValues|code/);
    assert.throws(check({ json: { ...json, message: 7 } }), /must be string/);
    assert.throws(check({ headers: {} }), /X-Request-Id/);
  });
});
