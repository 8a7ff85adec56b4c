import { readdir, readFile } from 'node:fs/promises';
import { type Column, type DatasetTable, tablesOf } from '../../cli/src/columns/datasets.ts';
import { clickHouseInvariants } from '../../extensions/clickhouse/src/doctor/examine-clickhouse.ts';
import { datasetInvariants } from '../src/doctor/dataset-invariants.ts';
import { mainInvariants } from '../src/doctor/examine-brand.ts';
import { generatedTables } from './dataset-tables.ts';

const intro = `# Columns of the warehouse

The columns that \`brandport pull\` and \`tap-brandport\` write, generated from their one definition, which a test compares with the
[reference](/docs/). [Analytics fields](analytics-fields.md) defines the values; [Analytics for BI](analytics-bi.md) shows how to pull them.

| type | Parquet | CSV, Singer | PostgreSQL | BigQuery |
|---|---|---|---|---|
| date | INT32, DATE | \`2026-03-01\` | \`date\` | \`DATE\` |
| integer | INT64 | digits | \`bigint\` | \`INT64\` |
| number | DOUBLE | \`49.5\` | \`double precision\` | \`FLOAT64\` |
| boolean | BOOLEAN | \`true\`, \`false\` | \`boolean\` | \`BOOL\` |
| text | BYTE_ARRAY, UTF8 | in CSV, like dates, always in quotes | \`text\` | \`STRING\` |
| json | BYTE_ARRAY, JSON | an object; in CSV as a string | \`jsonb\` | \`JSON\` |

Fields have the names of the API, joined with \`_\`. In CSV null is nothing between two commas, and an empty string is \`""\`. Every column but
\`date\` can be null in a file of a service that is older than the command. \`extra\` has the fields that the command does not know yet.
`;

/** Returns docs/guides/warehouse-columns.md. */
export function columnsPage(): string {
  // Cast: a dataset that is new has no type until its file is generated.
  const generated = generatedTables() as unknown as Parameters<typeof tablesOf>[0];
  return `${intro}\n${Object.values(tablesOf(generated)).map(section).join('\n')}`;
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
  const field = `\`${path.join('.')}\`${isNullable ? ', can be null' : ''}`;
  return isLabel ? `${field}; a label: it may change although the day does not` : field;
}

const invariantsIntroduction = `# Invariants

<!-- Generated from the invariants of server/src/doctor and of the extensions by \`npm run generate\`. Change it there. -->

Invariants across the rows of the databases. \`brandport doctor\` has a check for each, with the same id, and
\`--repair\` repairs derived data. Constraints on single rows (types, ranges, uniqueness) are in the migrations of \`server/database\`, enforced by
PostgreSQL, and not repeated here.

| id | tables | invariant | \`--repair\` |
|---|---|---|---|
`;

const limits = `
A level is **disputed** if it disagrees with its movements on quantity or owner. Figures derived from it are
reported but never repaired: a repair would make them agree with the damage.

The doctor cannot recompute, and does not compare:

- \`live_content\` of daily rows and \`total_users\` of content rows: snapshots of the time of the aggregation.
- The digest of a feed: it covers the request before times of receipt were filled in.
- Dirty days, days whose raw events were dropped, values from before an opt-out or opt-in, and aggregates that include
  erased learners. The report counts these days. A record with more learners than the day has rows looks like an erasure.
- Stock versions that were lost with their rows, and the order of axes and values: any position is valid.
- Jobs of unfinished feeds: workers requeue a lost one automatically.
`;

/** Returns the text of `docs/invariants.md`. */
export function invariantsPage(): string {
  const rows = [...mainInvariants, ...datasetInvariants, ...clickHouseInvariants].map(
    ({ id, tables, holds, repair }) => {
      const names = tables.map((table) => (table.includes(' ') ? table : `\`${table}\``)).join(', ');
      return `| \`${id}\` | ${names} | ${holds} | ${repair ?? 'nothing: both sides may be wrong'} |\n`;
    },
  );
  return invariantsIntroduction + rows.join('') + limits;
}

const introduction = `# Decisions

<!-- Generated from the files of this folder by \`npm run generate\`. Change them. -->

A file each: context, decision, consequence, in at most 15 lines. Cite a decision as \`[D2]\` where it binds. What callers may
rely on is a rule, in [../rules/](../rules/README.md); measurements are in [bench/notes/](../../bench/notes/).

A decision that is replaced moves to [superseded.md](superseded.md), and code cites its successor.
`;

/** Returns the text of `docs/decisions/README.md`. */
export async function decisionsPage(folder: URL): Promise<string> {
  const files = (await readdir(folder)).filter((file) => /^\d/.test(file)).sort();
  const decisions = await Promise.all(
    files.map(async (file) => readDecision(file, await readFile(new URL(file, folder), 'utf8'))),
  );
  return indexOf(decisions);
}

/** Returns the index of decisions, by subject. Ids are without brackets, since an index cites nothing. */
export function indexOf(decisions: readonly Decision[]): string {
  const sections = subjects.map((subject) => {
    const rows = decisions.filter((decision) => decision.subject === subject).map(row);
    return `\n## ${subject[0]?.toUpperCase()}${subject.slice(1)}\n\n| | decision | date |\n|---|---|---|\n${rows.join('')}`;
  });
  return introduction + sections.join('');
}

function row({ file, number, title, date }: Decision): string {
  return `| D${number} | [${title}](${file}) | ${date} |\n`;
}

/** A decision as its file in `docs/decisions/` states it. */
interface Decision {
  /** The file's name. */
  readonly file: string;
  readonly number: number;
  readonly title: string;
  readonly subject: Subject;
  /** The day on which it was accepted. */
  readonly date: string;
}

/** The subjects, in the order of the index. */
const subjects = [
  'writes',
  'catalog',
  'feeds',
  'analytics',
  'reads',
  'HTTP',
  'limits',
  'access',
  'documents',
  'clients',
  'console',
  'operation',
  'schema',
  'retention',
  'backup',
  'ClickHouse',
  'tests',
  'code',
] as const;

type Subject = (typeof subjects)[number];

const longest = { lines: 15, columns: 130 };
const head = new RegExp(
  [
    String.raw`^# \[D(\d+)\] (\S.*)`,
    String.raw`Accepted on (\d{4}-\d{2}-\d{2})\. Subject: (.+)\.`,
    '- Context: ',
  ].join('\n\n'),
);

/** Reads a decision, or throws an error that says what its file lacks. */
export function readDecision(file: string, text: string): Decision {
  const fail = (problem: string) => new Error(`docs/decisions/${file}: ${problem}`);
  const [, id, title = '', date = '', subject] = head.exec(text) ?? [];
  if (id === undefined) throw fail('begins like no other decision: id, title, date, subject, context');
  const known = subjects.find((name) => name === subject);
  if (known === undefined) throw fail(`has the subject "${subject}", which subjects does not list`);
  if (!new RegExp(`^${id.padStart(4, '0')}-[a-z0-9-]+\\.md$`).test(file)) throw fail(`is not named ${id}`);
  for (const part of ['Decision', 'Consequence'])
    if (!text.includes(`\n- ${part}: `)) throw fail(`has no "- ${part}:"`);
  const lines = text.trimEnd().split('\n');
  if (lines.length > longest.lines) throw fail(`has ${lines.length} of ${longest.lines} lines`);
  const wide = lines.findIndex((line) => line.length > longest.columns);
  if (wide >= 0) throw fail(`line ${wide + 1} is longer than ${longest.columns} characters`);
  return { file, number: Number(id), title, subject: known, date };
}
