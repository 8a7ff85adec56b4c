import type { CliContext } from '../context/cli-context.ts';
import type { Problem } from '../input/problems.ts';

const shown = 20;

/** Writes problems to standard error: the first ones, and the number of the others. `--json` has all. */
export function tellProblems(
  context: Pick<CliContext, 'tell'>,
  problems: readonly Problem[],
  count: number,
): void {
  for (const { at, message } of problems.slice(0, shown)) context.tell(`problem: ${at}: ${message}`);
  if (count > shown) context.tell(`problem: and ${count - shown} more; --json lists up to 1,000.`);
}
