import type { Cpu } from '../load/measure-load.ts';
import { isReached, type Ratio, type Target } from '../part.ts';
import type { PartResult, RunResults } from '../run-results.ts';

/** A Markdown table. Every row has as many cells as `head`. */
function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The ratios as a Markdown table. */
export function ratioTable(ratios: readonly Ratio[]): string {
  const rows = ratios.map((each) => [
    each.work,
    each.measured,
    each.yardstick,
    each.ratio.toFixed(2),
    needText(each),
    cpuText(each.cpu?.measured),
    cpuText(each.cpu?.yardstick),
  ]);
  return markdownTable(
    [
      'work',
      'measured',
      'against',
      'ratio',
      'needed',
      'CPU µs: load / server / PostgreSQL',
      'the same of the yardstick',
    ],
    rows,
  );
}

/** Writes the target of a row, whether it is reached, and the reason for it. */
function needText(row: Ratio): string {
  const { target } = row;
  if (target === null) return '';
  const bound = target.of === 'figure' ? boundText(target) : `ratio ${boundText(target)}`;
  const text = `${bound}, ${isReached(row) === true ? 'reached' : '**missed**'}`;
  return target.why === undefined ? text : `${text}: ${target.why}`;
}

function boundText(target: NonNullable<Target>): string {
  if ('atLeast' in target) return `at least ${shortNumber(target.atLeast)}`;
  if ('atMost' in target) return `at most ${shortNumber(target.atMost)}`;
  return `${target.within[0]} to ${target.within[1]}`;
}

/** At most two decimals: a target that was computed from a measurement has sixteen. */
function shortNumber(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString('en-US');
}

/** Load generator, server, PostgreSQL. */
function cpuText(cpu: Cpu | null | undefined): string {
  if (cpu === null || cpu === undefined) return '';
  const { generator, server, postgres } = cpu;
  return [generator, server, postgres]
    .map((value) => (value === null ? '-' : Math.round(value).toLocaleString('en-US')))
    .join(' / ');
}

/**
 * Memory and event-loop delay of the server in each part. A part during which the event loop's sampler saw no delay at
 * all was not measured (its load ran elsewhere), so it has no row.
 */
export function vitalsTable(results: readonly PartResult[]): string {
  const rows = results
    .filter(({ vitals }) => vitals.eventLoopMax > 0)
    .map(({ part, vitals: { residentMb, eventLoopP99, eventLoopMax } }) => [
      part,
      `${Math.round(residentMb)} MB`,
      `${eventLoopP99.toFixed(1)} ms`,
      `${eventLoopMax.toFixed(1)} ms`,
    ]);
  return markdownTable(['part', 'resident memory', 'event loop delay, p99', 'longest'], rows);
}

/** A run as Markdown: the machine, the ratios, and memory and event-loop delay of the server in each part. */
export function reportText({ scale, machine, results }: RunResults): string {
  return `${machine.map((line) => `- ${line}`).join('\n')}
- ${scale.rounds} rounds of ${scale.roundSeconds} s each

${ratioTable(results.flatMap(({ ratios }) => ratios))}

${vitalsTable(results)}
`;
}
