import type { Ratio } from '../part.ts';
import type { Scale } from '../scale.ts';
import type { Vitals } from '../service.ts';
import { ratioTable } from './ratio-table.ts';

export interface PartResult {
  readonly part: string;
  readonly ratios: readonly Ratio[];
  /** Of the server, since the part began. */
  readonly vitals: Vitals;
}

/** A run as Markdown: the machine, the ratios, and what the server's process was like in each part. */
export function reportText(scale: Scale, machine: readonly string[], results: readonly PartResult[]): string {
  const ratios = results.flatMap((result) => result.ratios);
  return `${machine.map((line) => `- ${line}`).join('\n')}
- ${scale.rounds} rounds of ${scale.roundSeconds} s each

${ratioTable(ratios)}

${vitalsTable(results)}
`;
}

function vitalsTable(results: readonly PartResult[]): string {
  const rows = results.map(({ part, vitals: { residentMb, eventLoopP99, eventLoopMax } }) => [
    part,
    `${Math.round(residentMb)} MB`,
    `${eventLoopP99.toFixed(1)} ms`,
    `${eventLoopMax.toFixed(1)} ms`,
  ]);
  const head = ['part', 'resident memory', 'event loop delay, p99', 'the longest'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
