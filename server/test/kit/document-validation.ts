import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { clientDocument } from '../../src/http/docs/client-document.ts';
import { textFormats } from '../../src/http/validation/formats.ts';
import type { ApiResponse } from './api-client.ts';

interface ResponseObject {
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<string, { schema: object }>;
}

interface DocumentedPath {
  readonly pattern: RegExp;
  readonly operations: Record<string, { responses: Record<string, ResponseObject> }>;
}

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON.
const document = clientDocument() as any;
const ajv = new Ajv2020({ strict: false, validateSchema: false });
for (const [name, { validate }] of Object.entries(textFormats)) ajv.addFormat(name, validate);
ajv.addFormat('money', true);
ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
ajv.addSchema(document, 'document');

const paths: DocumentedPath[] = Object.entries(document.paths).map(([path, operations]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  operations: operations as DocumentedPath['operations'],
}));
const errorSchema = { $ref: 'document#/components/schemas/Error' };
const compiled = new Map<object, ValidateFunction>();

/**
 * Holds a response against the document that the server serves: the status is documented, the body has the documented
 * shape, headers that were promised are there. Paths and methods that the document does not have are 404 and 405.
 */
export function validateAgainstDocument(method: string, url: string, response: ApiResponse): void {
  const path = url.split('?')[0] as string;
  assert.equal(typeof response.headers['x-request-id'], 'string', 'X-Request-Id');
  assert.equal(response.headers['cache-control'], 'no-store');
  const found = paths.find(({ pattern }) => pattern.test(path));
  const operation = found?.operations[(method === 'HEAD' ? 'GET' : method).toLowerCase()];
  if (operation === undefined) {
    assert.ok([404, 405, 429].includes(response.status), `${method} ${path} is not documented`);
    checkBody(errorSchema, response, `${method} ${path}`);
    return;
  }
  const documented = operation.responses[String(response.status)];
  assert.ok(
    documented !== undefined,
    `${method} ${path} answered ${response.status}, which is not documented: ${response.text}`,
  );
  const schema = documented.content?.['application/json']?.schema;
  if (method === 'HEAD') return;
  if (schema === undefined) {
    assert.equal(response.text, '');
    return;
  }
  checkBody(absolute(schema), response, `${method} ${path} ${response.status}`);
}

function absolute(schema: object): object {
  return '$ref' in schema ? { $ref: `document${schema.$ref}` } : schema;
}

function checkBody(schema: object, response: ApiResponse, what: string): void {
  if (response.text === '' && what.startsWith('HEAD')) return;
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  assert.ok(
    validate(response.json),
    `${what}: ${JSON.stringify(validate.errors)} in ${response.text.slice(0, 500)}`,
  );
}
