import type { Cpu } from '../load/measure-load.ts';
import { isReached, type Ratio, type Target } from '../part.ts';
import { markdownTable } from './markdown-table.ts';

/** The ratios as a Markdown table. */
export function ratioTable(ratios: readonly Ratio[]): string {
  const rows = ratios.map((each) => [
    each.work,
    each.measured,
    each.yardstick,
    each.ratio.toFixed(2),
    targetText(each.target),
    { true: 'reached', false: '**missed**', null: '' }[String(isReached(each)) as 'true' | 'false' | 'null'],
    cpuText(each.cpu?.measured),
    cpuText(each.cpu?.yardstick),
  ]);
  return markdownTable(
    [
      'work',
      'measured',
      'against',
      'ratio',
      'target',
      '',
      'CPU µs: load / server / PostgreSQL',
      'the same of the yardstick',
    ],
    rows,
  );
}

function targetText(target: Target): string {
  if (target === null) return '';
  if ('atLeast' in target) return `at least ${shortNumber(target.atLeast)}`;
  if ('atMost' in target) return `at most ${shortNumber(target.atMost)}`;
  return `${target.within[0]} to ${target.within[1]}`;
}

/** At most two decimals: a target that was computed from a measurement has sixteen. */
function shortNumber(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Load generator, server, PostgreSQL. */
function cpuText(cpu: Cpu | null | undefined): string {
  if (cpu === null || cpu === undefined) return '';
  const { generator, server, postgres } = cpu;
  return [generator, server, postgres]
    .map((value) => (value === null ? '-' : Math.round(value).toLocaleString('en-US')))
    .join(' / ');
}
