import type { OpenApiDocument } from './openapi-document.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON.
type Json = any;

/**
 * Returns a Postman collection (format 2.1) of the document: a folder for each tag, a request for each operation with the
 * values of its examples. Optional parameters are switched off. The variables `baseUrl` and `token` are the reader's to set.
 */
export function postmanCollection(document: OpenApiDocument, baseUrl: string): Json {
  const { info, tags, paths, components } = document as Json;
  const requests = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      item: { name: operation.summary, request: requestOf(path, method, operation, components) },
    })),
  );
  return {
    info: {
      name: info.title,
      description: `Set the variables \`baseUrl\` and \`token\`. A new Idempotency-Key is sent each time.`,
      version: info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'token', value: '' },
    ],
    item: tags
      .map(({ name, description }: Json) => ({
        name,
        description,
        item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
      }))
      .filter(({ item }: Json) => item.length > 0),
  };
}

function requestOf(path: string, method: string, operation: Json, components: Json): Json {
  const parameters = operation.parameters.map((parameter: Json) =>
    parameter.$ref === undefined
      ? parameter
      : components.parameters[parameter.$ref.replace('#/components/parameters/', '')],
  );
  const valuesIn = (place: string) => parameters.filter((parameter: Json) => parameter.in === place);
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const query = valuesIn('query').map(entryOf);
  const [contentType, content] = Object.entries<Json>(operation.requestBody?.content ?? {})[0] ?? [];
  return {
    method: method.toUpperCase(),
    description: operation.description,
    header: [
      ...(contentType === undefined ? [] : [{ key: 'Content-Type', value: contentType }]),
      ...valuesIn('header').map(headerOf),
    ],
    ...(content !== undefined && {
      body: {
        mode: 'raw',
        raw: typeof content.example === 'string' ? content.example : JSON.stringify(content.example, null, 2),
      },
    }),
    url: {
      raw: `{{baseUrl}}/${segments}`,
      host: ['{{baseUrl}}'],
      path: segments.split('/'),
      ...(query.length > 0 && { query }),
      variable: valuesIn('path').map(({ name, example }: Json) => ({ key: name, value: String(example) })),
    },
  };
}

function entryOf({ name, example, description, required }: Json): Json {
  return { key: name, value: String(example ?? ''), description, ...(!required && { disabled: true }) };
}

function headerOf(parameter: Json): Json {
  // `{{$guid}}` is Postman's: a new id for each request that is sent.
  if (parameter.name === 'Idempotency-Key') return { key: parameter.name, value: '{{$guid}}' };
  return entryOf(parameter);
}
