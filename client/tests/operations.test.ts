import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { clientDocument } from '../../server/src/http/docs/client-document.ts';
import { internalDocument } from '../../server/src/http/docs/internal-document.ts';
import { BrandportError, errorFromResponse } from '../src/errors.ts';
import { internalOperations } from '../src/generated/internal-wire.ts';
import { clientOperations } from '../src/generated/wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON.
type Json = any;

const src = fileURLToPath(new URL('../src/', import.meta.url));
const sources = globSync('**/*.ts', { cwd: src })
  .filter((path) => !path.startsWith('generated/'))
  .map((path) => ({ path, text: readFileSync(src + path, 'utf8') }));

/** The calls of an operation in the sources: the text from its id to the end of the call. */
function callsOf(id: string, isAdmin: boolean): string[] {
  const call = new RegExp(String.raw`(?:\.call\(|Pages\((?:this\.#?)?api, )'${id}',[^;]*`, 'g');
  return sources
    .filter(({ path }) => path.startsWith('admin/') === isAdmin)
    .flatMap(({ text }) => [...text.replaceAll(/\s+/g, ' ').matchAll(call)].map(([match]) => match));
}

for (const [name, document, table, isAdmin] of [
  ['client', clientDocument(), clientOperations, false],
  ['internal', internalDocument(), internalOperations, true],
] as const) {
  // Reads as a brand are operations of the client document.
  const documented = Object.entries((document as Json).paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods as Json).map(([method, operation]) => ({
        path,
        method,
        operation: operation as Json,
      })),
    )
    .filter(({ operation }) => !operation.operationId.endsWith('AsBrand'));
  // Browsers sign in; the SDK sends its token.
  const operations = documented.filter(({ path }) => !path.startsWith('/console/'));

  describe(`the ${name} document`, () => {
    it('has a method of the SDK for every operation', () => {
      const missing = operations
        .filter(({ operation }) => callsOf(operation.operationId, isAdmin).length === 0)
        .map(({ operation, path, method }) => `${operation.operationId} (${method.toUpperCase()} ${path})`);
      const folder = isAdmin ? 'client/src/admin' : 'client/src';
      assert.deepEqual(
        missing,
        [],
        `add a method that calls each to a class in ${folder}: see CONTRIBUTING.md`,
      );
    });

    it('has the method, path and key of every operation in the table of the SDK', () => {
      const lines = documented.map(({ path, method, operation }) => {
        const takesKey = (operation.parameters ?? []).some((one: Json) => one.name === 'Idempotency-Key');
        return [operation.operationId, `${method.toUpperCase()} ${path}${takesKey ? ' key' : ''}`];
      });
      const withoutText = Object.entries(table).map(([id, line]) => [id, line.replace(/ text$/, '')]);
      assert.deepEqual(Object.fromEntries(withoutText), Object.fromEntries(lines));
    });

    it('has a place in a method for every query parameter and body', () => {
      const findings: string[] = [];
      for (const { operation } of operations) {
        const id: string = operation.operationId;
        const calls = callsOf(id, isAdmin);
        const takesQuery = (operation.parameters ?? []).some((one: Json) => one.in === 'query');
        // The types of queries and bodies are generated: a method that passes one passes all of its fields.
        if (takesQuery && !calls.some((call) => /\bquery\b/.test(call))) findings.push(`${id}: query`);
        const sendsBody = calls.some((call) => /\b(body|stream|input)\b/.test(call));
        if (operation.requestBody !== undefined && !sendsBody) findings.push(`${id}: body`);
      }
      assert.deepEqual(findings, []);
    });

    it('has no other parameters in headers than those that options send', () => {
      const parameters = (document as Json).components.parameters;
      const headers = operations
        .flatMap(({ operation }) => operation.parameters ?? [])
        .map((one: Json) => (one.$ref === undefined ? one : parameters[one.$ref.split('/').pop()]))
        .filter((one: Json) => one.in === 'header')
        .map((one: Json) => one.name);
      const known = ['Idempotency-Key', 'If-Match', 'If-None-Match', 'Prefer'];
      assert.deepEqual(
        [...new Set(headers)].filter((header) => !known.includes(header as string)),
        [],
      );
    });

    it('describes errors whose every field the SDK exposes', () => {
      const { schemas } = (document as Json).components;
      const codes: string[] = schemas.ErrorCode.enum;
      const own = new Set(['code', 'message', 'doc_url']);
      let seen = 0;
      for (const schema of Object.values(schemas) as Json[]) {
        const code = schema.allOf?.at(-1)?.properties?.code?.const;
        if (!codes.includes(code)) continue;
        seen += 1;
        const fields = Object.keys(schema.allOf.at(-1).properties).filter((field) => !own.has(field));
        const body = { code, message: 'A message.', doc_url: 'https://docs/x', ...fieldValues(fields) };
        const response = { status: 400, headers: new Headers(), requestId: 'r' };
        const error = errorFromResponse(
          { ...response, text: JSON.stringify(body), json: () => body },
          'https://api',
          'https://api/v1/x',
        );
        assert.ok(
          error instanceof BrandportError && error.code === code && error.docUrl === 'https://docs/x',
        );
        for (const field of fields) {
          const property = field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
          assert.deepEqual((error as Json)[property], (body as Json)[field], `${code}: ${field}`);
        }
      }
      assert.ok(seen > 5, `only ${seen} errors were found`);
    });
  });
}

function fieldValues(fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field, index) => [field, index + 1]));
}

describe('the walk through the documents', () => {
  it('notices an operation that no method calls', () => {
    assert.deepEqual(callsOf('launchRocket', false), []);
    assert.equal(callsOf('createProduct', false).length, 1);
    assert.deepEqual(callsOf('createProduct', true), []);
  });
});
