import type { PlanCounts, RequestLimits } from './plan-types.ts';

const number = new Intl.NumberFormat('en-US');

/** Returns the plan in one line: `+ create 120  ~ patch 31  = 9,849 same  ! 3 problems`. */
export function describePlan(counts: PlanCounts): string {
  const { create, patch, generate, generatedVariants, createVariants, axisLibrary, same, feeds, feedLines } =
    counts;
  const parts: [count: number, text: string][] = [
    [axisLibrary, `# library ${number.format(axisLibrary)}`],
    [create, `+ create ${number.format(create)}`],
    [createVariants, `+ ${quantity(createVariants, 'variant')}`],
    [patch, `~ patch ${number.format(patch)}`],
    [generate, `* generate ${quantity(generate, 'product')} (${quantity(generatedVariants, 'variant')})`],
    [1, `= ${number.format(same + counts.sameLevels)} same`],
    [feeds, `↑ ${quantity(feeds, 'feed')} of ${quantity(feedLines, 'line')}`],
    [counts.archive, `- archive ${number.format(counts.archive)}`],
    [counts.problems, `! ${quantity(counts.problems, 'problem')}`],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([, text]) => text)
    .join('  ');
}

/** The writes of one sync that a service without limits takes in a second: 94 were measured. */
const writesPerSecond = 100;

/** Returns the time that the writes of a plan take: `about 3 min: writes 60/min`. */
export function describeDuration(counts: PlanCounts, limits: RequestLimits): string {
  if (counts.writes === 0) return 'nothing to do';
  const atLimits = secondsAtLimits(counts, limits);
  const atFullSpeed = counts.writes / writesPerSecond;
  const seconds = Math.max(atLimits, atFullSpeed);
  const time = seconds < 60 ? 'less than a minute' : `about ${quantityOfTime(seconds)}`;
  const limit = Number.isFinite(limits.writes) ? `writes ${number.format(limits.writes)}/min` : 'no limits';
  const speed = seconds >= 60 && atFullSpeed > atLimits ? `, at ${writesPerSecond} writes a second` : '';
  return `${time}: ${limit}${speed}`;
}

/** Returns the seconds that the limits add. A window of a limit is a minute, and opens with its whole number of requests. */
export function secondsAtLimits({ writes, reads }: PlanCounts, limits: RequestLimits): number {
  const windows = (count: number, limit: number) => (count === 0 ? 0 : Math.floor((count - 1) / limit));
  return 60 * Math.max(windows(writes, limits.writes), windows(reads, limits.reads));
}

function quantityOfTime(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${(minutes / 60).toFixed(1).replace(/\.0$/, '')} h`;
}

function quantity(count: number, noun: string): string {
  return `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}
