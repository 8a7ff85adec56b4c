import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { datasetTables, extraColumn, orphanedColumn } from '../datasets.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is JSON.
type Json = any;

const document: Json = JSON.parse(
  await readFile(new URL('../../../../server/openapi.json', import.meta.url), 'utf8'),
);

/** The values of a row in the document: path, type, and whether it or an object around it can be null. */
function valuesOf(schema: Json, path: string[] = [], isNullable = false): string[] {
  const types = [schema.type].flat();
  const canBeNull = isNullable || types.includes('null');
  if (types.includes('object')) {
    // Objects without properties are always null in v1: `market` and `pos`.
    return Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
      valuesOf(part, [...path, name], canBeNull),
    );
  }
  const [type] = types.filter((each) => each !== 'null');
  const named = schema.format === 'date' ? 'date' : type === 'string' ? 'text' : type;
  return [`${path.join('.')}: ${named}${canBeNull ? ' or null' : ''}`];
}

describe('the columns of a dataset', () => {
  for (const { name, schema, endpoint, perPage, scope, columns, key } of Object.values(datasetTables)) {
    // [D151]
    it(`are exactly the fields of the OpenAPI document, with their types: ${name}`, () => {
      const fields = columns.filter(({ path }) => path.length > 0);
      assert.deepEqual(
        fields
          .map((each) => `${each.path.join('.')}: ${each.type}${each.isNullable ? ' or null' : ''}`)
          .sort(),
        valuesOf(document.components.schemas[schema]).sort(),
      );
      const names = columns.map((each) => each.name);
      assert.equal(new Set(names).size, names.length);
      assert.ok(key.every((each) => names.includes(each)));
      assert.deepEqual([columns[0]?.name, columns.at(-1)], ['date', extraColumn]);
      assert.equal(columns.includes(orphanedColumn), names.includes('content_tu_id'));
    });

    it(`are read from the endpoint of the document, in its largest pages: ${name}`, () => {
      const operation = document.paths[`/v1/client/analytics${endpoint}`].get;
      const rows = operation.responses['200'].content['application/json'].schema;
      const page = document.components.schemas[rows.$ref.split('/').at(-1)];
      assert.match(page.properties.data.items.$ref, new RegExp(`/${schema}$`));
      const parameter = operation.parameters.find((each: Json) => each.name === 'per_page');
      assert.match(parameter.description, new RegExp(`\\b${perPage}\\b`));
      assert.ok(JSON.stringify(operation).includes(scope), scope);
    });
  }
});
