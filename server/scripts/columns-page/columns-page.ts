import type { Column, DatasetTable } from '../../../cli/src/columns/datasets.ts';
import { datasetTables } from '../../../cli/src/columns/datasets.ts';

const intro = `# Columns of the warehouse

The columns that \`brandport pull\` and \`tap-brandport\` write, generated from their one definition, which a test compares with the
[reference](/docs/). [Analytics fields](analytics-fields.md) defines the values; [Analytics for BI](analytics-bi.md) shows how to pull them.

| type | Parquet | CSV, Singer | PostgreSQL | BigQuery |
|---|---|---|---|---|
| date | INT32, DATE | \`2026-03-01\` | \`date\` | \`DATE\` |
| integer | INT64 | digits | \`bigint\` | \`INT64\` |
| number | DOUBLE | \`49.5\` | \`double precision\` | \`FLOAT64\` |
| boolean | BOOLEAN | \`true\`, \`false\` | \`boolean\` | \`BOOL\` |
| text | BYTE_ARRAY, UTF8 | in CSV always in quotes | \`text\` | \`STRING\` |
| json | BYTE_ARRAY, JSON | an object; in CSV as a string | \`jsonb\` | \`JSON\` |

Fields have the names of the API, joined with \`_\`. In CSV null is nothing between two commas, and an empty string is \`""\`. Every column but
\`date\` can be null in a file of a service that is older than the command. \`extra\` has the fields that the command does not know yet.
`;

/** Returns docs/guides/warehouse-columns.md. */
export function columnsPage(): string {
  return `${intro}\n${Object.values(datasetTables).map(section).join('\n')}`;
}

function section({ name, endpoint, query, key, columns }: DatasetTable): string {
  const keyText =
    key.length > 0
      ? `The key is ${key.map((column) => `\`${column}\``).join(', ')}.`
      : 'There is no key: several contents that the directory does not list look the same. Replace whole days.';
  const rows = columns.map((column) => `| \`${column.name}\` | ${column.type} | ${source(column)} |`);
  return [
    `## \`${name}\``,
    '',
    `\`GET ${endpoint}${query.group_by === undefined ? '' : `?group_by=${query.group_by}`}\`. ${keyText}`,
    '',
    '| column | type | value |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function source({ name, path, isNullable, isLabel }: Column): string {
  if (name === 'content_is_orphaned') return 'true if the directory does not list the content';
  if (name === 'extra') return 'new fields; otherwise null';
  const field = `\`${path.join('.')}\``;
  if (isLabel) return `${field}; a label: it may change although the day does not`;
  return isNullable ? `${field}, can be null` : field;
}
