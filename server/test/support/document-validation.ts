import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { generalCodes } from '../../src/http/docs/error-responses.ts';
import { readPublishedDocument } from '../../src/http/docs/reference.ts';
import { textFormats } from '../../src/http/validation/formats.ts';
import type { ApiResponse, ResponseCheck } from './api-client.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON.
type Json = any;

/** Validates the responses of the client listener against `/openapi.json`. */
export const validateAgainstDocument = createDocumentCheck('openapi.json');

/** Validates the responses of the internal listener against `/internal/openapi.json`. */
export const validateAgainstInternalDocument = createDocumentCheck('openapi-internal.json');

/**
 * Validates a response against a served document: its status, the code of an error under that status, the shape of the
 * body and the required headers. Paths and methods that the document does not have must be 404 and 405.
 */
function createDocumentCheck(name: Parameters<typeof readPublishedDocument>[0]): ResponseCheck {
  const root: Json = JSON.parse(readPublishedDocument(name));
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  for (const [name, { validate }] of Object.entries(textFormats)) ajv.addFormat(name, validate);
  ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
  ajv.addSchema(root, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const patterns = Object.keys(root.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

  function at(pointer: string): Json {
    return pointer.split('/').reduce((node, token) => node?.[fromToken(token)], root);
  }

  /** Follows a path in the document, including references. */
  function resolve(pointer: string): string {
    const reference = at(pointer)?.$ref;
    return reference === undefined ? pointer : resolve(reference.slice('#/'.length));
  }

  function checkBody(pointer: string, response: ApiResponse, what: string): void {
    const $ref = `document#/${pointer.split('/').map(encodeURIComponent).join('/')}`;
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref });
    compiled.set(pointer, validate);
    const problems = () => `${what}: ${JSON.stringify(validate.errors)} in ${response.text.slice(0, 500)}`;
    assert.ok(validate(response.json), problems());
  }

  return (method, url, response) => {
    const path = url.split('?')[0] as string;
    assert.equal(typeof response.headers['x-request-id'], 'string', 'X-Request-Id');
    assert.equal(response.headers['cache-control'], 'no-store');
    const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase();
    const matching = patterns.filter(({ pattern }) => pattern.test(path));
    const documented = matching.find(({ path }) => verb in root.paths[path]) ?? matching[0];
    const what = `${method} ${path} ${response.status}`;
    const operation = `paths/${toToken(documented?.path ?? '')}/${verb}`;
    // HEAD follows the documented GET. Where only GET is served, HEAD is an unknown method.
    const isRefusedHead = method === 'HEAD' && response.status === 405;
    if (at(operation) === undefined || isRefusedHead) {
      assert.ok(
        [404, 405, 429].includes(response.status),
        `${what}: the operation is not documented. Is it new? Run npm run generate.`,
      );
      if (method === 'HEAD') return;
      checkBody('components/schemas/ApiError', response, what);
      assert.ok(response.json.code in generalCodes, `${what}: ${response.json.code} is not documented`);
      return;
    }
    const answer = resolve(`${operation}/responses/${response.status}`);
    assert.ok(at(answer) !== undefined, `${what} is not documented: ${response.text}`);
    for (const name of Object.keys(at(answer).headers ?? {}))
      if (at(resolve(`${answer}/headers/${name}`)).required === true)
        assert.ok(response.headers[name.toLowerCase()] !== undefined, `${what} has no ${name}`);
    if (method === 'HEAD') return;
    const schema = `${answer}/content/${toToken('application/json')}/schema`;
    const [mediaType = 'application/json'] = Object.keys(at(answer).content ?? {});
    if (at(schema) !== undefined) checkBody(resolve(schema), response, what);
    else if (mediaType === 'application/json') assert.equal(response.text, '');
    else assert.equal(response.headers['content-type'], `${mediaType}; charset=utf-8`, what);
  };
}

function toToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

function fromToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
