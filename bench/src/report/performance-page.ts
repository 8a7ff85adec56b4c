import { readFile } from 'node:fs/promises';
import type { PartResult, RunResults } from '../run-results.ts';
import { markdownTable, ratioTable, vitalsTable } from './run-tables.ts';

const template = new URL('./performance-page.md', import.meta.url);

/**
 * `docs/performance.md` from one run: the prose of `performance-page.md` with the run's tables in the places that it names as
 * `{{name}}`. @throws Error when the template names a table that does not exist
 */
export async function performancePage(run: RunResults): Promise<string> {
  const text = await readFile(template, 'utf8');
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const section = sections[name];
    if (section === undefined)
      throw new Error(`performance-page.md names {{${name}}}, which is not a section`);
    return section(run);
  });
}

const sections: Readonly<Record<string, (run: RunResults) => string>> = {
  run: ({ scale, machine, startedAt, commit }) =>
    [
      `Measured on ${startedAt.slice(0, 10)} at commit ${commit}, ${scale.rounds} rounds of ${scale.roundSeconds} s each.`,
      '',
      ...machine.map((line) => `- ${line}`),
    ].join('\n'),
  ratios: ({ results }) =>
    ratioTable(results.filter(({ part }) => !detailParts.includes(part)).flatMap(({ ratios }) => ratios)),
  vitals: ({ results }) => vitalsTable(results),
  costs: (run) =>
    markdownTable(
      ['work', 'in Node', 'in PostgreSQL'],
      partOf(run, 'costs').ratios.map(({ work, measured, yardstick }) => [
        work.replace('processor time of ', ''),
        measured.replace(' in Node', ''),
        yardstick.replace(' in PostgreSQL', ''),
      ]),
    ),
  statements: (run) =>
    markdownTable(
      ['statement', 'median'],
      partOf(run, 'plans').ratios.map(({ work, measured }) => [
        `\`${work.replace('statement ', '')}\``,
        measured,
      ]),
    ),
};

/** Parts that have their own table on the page. */
const detailParts: readonly string[] = ['costs', 'plans'];

/** @throws Error when the run left the part out */
function partOf({ results }: RunResults, name: string): PartResult {
  const found = results.find(({ part }) => part === name);
  if (found === undefined) throw new Error(`the page needs the part ${name}, which this run left out`);
  return found;
}
