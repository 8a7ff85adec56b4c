import { isReached, type Ratio, type Target } from '../part.ts';

/** The ratios as a Markdown table. */
export function ratioTable(ratios: readonly Ratio[]): string {
  const rows = ratios.map((each) => [
    each.work,
    each.measured,
    each.yardstick,
    each.ratio.toFixed(2),
    targetText(each.target),
    { true: 'reached', false: '**missed**', null: '' }[String(isReached(each)) as 'true' | 'false' | 'null'],
  ]);
  const head = ['work', 'measured', 'against', 'ratio', 'target', ''];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function targetText(target: Target): string {
  if (target === null) return '';
  if ('atLeast' in target) return `at least ${target.atLeast}`;
  if ('atMost' in target) return `at most ${target.atMost}`;
  return `${target.within[0]} to ${target.within[1]}`;
}
