import type { ColumnType } from '../columns/column.ts';
import type { DatasetTable } from '../columns/dataset-table.ts';

/** A JSON Schema of a stream, as Singer targets read it. */
export interface SingerSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
}

const jsonTypes: Readonly<Record<ColumnType, { readonly type: string; readonly format?: string }>> = {
  date: { type: 'string', format: 'date' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  text: { type: 'string' },
  json: { type: 'object' },
};

/** Returns the schema of a dataset. Everything but the key can be null: an older service lacks newer fields. */
export function singerSchema({ columns, key }: DatasetTable): SingerSchema {
  const properties = columns.map(({ name, type }) => {
    const { type: jsonType, ...rest } = jsonTypes[type];
    const isRequired = name === 'date' || key.includes(name);
    return [name, { type: isRequired ? jsonType : [jsonType, 'null'], ...rest }];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}
