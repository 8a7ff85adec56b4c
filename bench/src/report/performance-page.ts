import { readFile } from 'node:fs/promises';
import type { RunResults } from '../run-results.ts';
import { ratioTable, vitalsTable } from './run-tables.ts';

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
  ratios: ({ results }) => ratioTable(results.flatMap(({ ratios }) => ratios)),
  vitals: ({ results }) => vitalsTable(results),
};
