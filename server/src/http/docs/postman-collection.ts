import type { OpenApiDocument } from './openapi-document.ts';
import { type DescribedParameter, ReferenceDocument } from './reference/described-document.ts';
import { exampleText, type ListedOperation, listOperations } from './reference/listed-operation.ts';

/**
 * Returns a Postman collection (format 2.1) of the document: a folder for each tag, a request for each operation with the
 * values of its examples. Optional parameters are switched off. The variables `baseUrl` and `token` are the reader's to set.
 */
export function postmanCollection(document: OpenApiDocument, baseUrl: string): object {
  const reference = new ReferenceDocument(document);
  const { info, tags } = reference.described;
  const operations = listOperations(reference);
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
      .map(({ name, description }) => {
        const ofTag = operations.filter(({ tag }) => tag === name);
        return {
          name,
          description,
          item: ofTag.map((one) => ({ name: one.summary, request: requestOf(one) })),
        };
      })
      .filter(({ item }) => item.length > 0),
  };
}

function requestOf({ method, path, description, parameters, contents }: ListedOperation): object {
  const valuesIn = (place: DescribedParameter['in']) => parameters.filter((one) => one.in === place);
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const query = valuesIn('query').map(entryOf);
  const [contentType, content] = Object.entries(contents)[0] ?? [];
  return {
    method,
    description,
    header: [
      ...(contentType === undefined ? [] : [{ key: 'Content-Type', value: contentType }]),
      ...valuesIn('header').map(headerOf),
    ],
    ...(content !== undefined && { body: { mode: 'raw', raw: exampleText(content) } }),
    url: {
      raw: `{{baseUrl}}/${segments}`,
      host: ['{{baseUrl}}'],
      path: segments.split('/'),
      ...(query.length > 0 && { query }),
      variable: valuesIn('path').map(({ name, example }) => ({ key: name, value: String(example) })),
    },
  };
}

function entryOf({ name, example, description, required }: DescribedParameter): object {
  return { key: name, value: String(example ?? ''), description, ...(!required && { disabled: true }) };
}

function headerOf(parameter: DescribedParameter): object {
  // `{{$guid}}` is Postman's: a new id for each request that is sent.
  if (parameter.name === 'Idempotency-Key') return { key: parameter.name, value: '{{$guid}}' };
  return entryOf(parameter);
}
