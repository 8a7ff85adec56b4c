import type { CliContext } from '../context/cli-context.ts';
import type { Problem } from '../input/problems.ts';

const shown = 20;

const shownPlaces = 3;

/** Writes problems to standard error: the first ones, and the number of the others. `--json` has all. */
export function tellProblems(
  context: Pick<CliContext, 'tell'>,
  problems: readonly Problem[],
  count: number,
): void {
  let left = count;
  for (const problem of problems.slice(0, shown)) {
    context.tell(`problem: ${problem.at}: ${problem.message}${repetitions(problem)}`);
    left -= problem.count ?? 1;
  }
  if (left > 0) context.tell(`problem: and ${left} more; --json lists up to 1,000.`);
}

function repetitions({ count, alsoAt = [] }: Problem): string {
  if (count === undefined) return '';
  const places = [...alsoAt.slice(0, shownPlaces), ...(count - 1 > shownPlaces ? ['…'] : [])];
  return ` (${count} times, also at ${places.join(', ')})`;
}
