import { readdir, readFile } from 'node:fs/promises';
import { type Decision, readDecision, subjects } from './decision.ts';

const introduction = `# Decisions

<!-- Generated from the files of this folder by \`npm run generate\`. Change them. -->

A file each: context, decision, consequence, in at most 15 lines. Cite a decision as \`[D3]\` where it binds. What callers may
rely on is a rule, in [../rules/](../rules/README.md); measurements are in [bench/notes/](../../bench/notes/).

A decision that is replaced stays, marked with its successor, and code cites the successor. Numbers that are missing
were never used.
`;

/** Returns the text of `docs/decisions/README.md`. */
export async function decisionsPage(folder: URL): Promise<string> {
  const files = (await readdir(folder)).filter((file) => file !== 'README.md').sort();
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

function row({ file, number, title, date, successor }: Decision): string {
  const status = successor === null ? '' : ` (superseded by D${successor})`;
  return `| D${number} | [${title}](${file})${status} | ${date} |\n`;
}
