import assert from 'node:assert/strict';
import { readPublishedDocument } from '../../src/http/docs/reference.ts';
import type { ApiResponse } from './api-client.ts';

// biome-ignore lint/suspicious/noExplicitAny: the documents are JSON.
type Json = any;

const documents: readonly Json[] = (['openapi.json', 'openapi-internal.json'] as const).map((name) =>
  JSON.parse(readPublishedDocument(name)),
);
const routes = documents.flatMap((document) =>
  Object.entries<Json>(document.paths).map(([template, methods]) => ({
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods,
    shared: document.components.responses,
  })),
);

/**
 * Validates only the status of a response and the code of an error against the documents, which also fits servers under
 * load and of other versions. Ignores paths that no document has. @throws AssertionError
 */
export function assertDocumentedAnswer(method: string, url: string, response: ApiResponse): void {
  const path = url.split('?')[0] as string;
  const route = routes.find(({ pattern }) => pattern.test(path));
  const operation = route?.methods[(method === 'HEAD' ? 'GET' : method).toLowerCase()];
  if (route === undefined || operation === undefined) return;
  const { status, json } = response;
  const what = `${method} ${path} ${status} ${json?.code ?? ''}`;
  if (method === 'HEAD' && status === 405) return;
  const documented = operation.responses[status];
  const answer =
    documented?.$ref === undefined ? documented : route.shared[documented.$ref.split('/').at(-1)];
  assert.ok(answer !== undefined, `${what} is not documented`);
  if (status < 400 || method === 'HEAD') return;
  const codes = Object.keys(answer.content['application/json'].examples);
  assert.ok(codes.includes(json?.code), `${what} is not documented`);
}
