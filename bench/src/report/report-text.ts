import type { RunResults } from '../run-results.ts';
import { ratioTable } from './ratio-table.ts';
import { vitalsTable } from './vitals-table.ts';

/** A run as Markdown: the machine, the ratios, and memory and event-loop delay of the server in each part. */
export function reportText({ scale, machine, results }: RunResults): string {
  return `${machine.map((line) => `- ${line}`).join('\n')}
- ${scale.rounds} rounds of ${scale.roundSeconds} s each

${ratioTable(results.flatMap(({ ratios }) => ratios))}

${vitalsTable(results)}
`;
}
