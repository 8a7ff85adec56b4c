import { readdir, readFile } from 'node:fs/promises';

const introduction = `# Decisions

<!-- Generated from the files of this folder by \`npm run generate\`. Change them. -->

A file each: context, decision, consequence, in at most 15 lines. Cite a decision as \`[D3]\` where it binds. What callers may
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
export interface Decision {
  /** The file's name. */
  readonly file: string;
  readonly number: number;
  readonly title: string;
  readonly subject: Subject;
  /** The day on which it was accepted. */
  readonly date: string;
}

/** The subjects, in the order of the index. */
export const subjects = [
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

export type Subject = (typeof subjects)[number];

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
