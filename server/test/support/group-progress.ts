import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A group whose process ended before its last file did. */
export interface UnfinishedGroup {
  /** The file that was running. */
  readonly running: string;
  /** The files after it, which did not run. */
  readonly notRun: readonly string[];
}

const ending = '.unfinished';

/** Returns the file in which the group of a script keeps its progress. */
export function progressFileOf(script: string): string {
  return script + ending;
}

/** Notes which file of a group begins. On disk, because a killed process cannot report anything. */
export function noteBegin(progressFile: string, files: readonly string[], index: number): void {
  const progress: UnfinishedGroup = { running: files[index] ?? '', notRun: files.slice(index + 1) };
  writeFileSync(progressFile, JSON.stringify(progress));
}

/** Notes that every file of the group is done. */
export function noteEnd(progressFile: string): void {
  rmSync(progressFile, { force: true });
}

/** Lists the groups that began and did not end. `dir` is the directory of their scripts. */
export function listUnfinishedGroups(dir: string): UnfinishedGroup[] {
  const files = globSync(`*${ending}`, { cwd: dir }).sort();
  return files.map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')));
}

/** Describes an unfinished group in a line for the end of the run. */
export function describeUnfinished({ running, notRun }: UnfinishedGroup): string {
  const rest = notRun.length === 0 ? '' : ` These files did not run: ${notRun.join(', ')}.`;
  return `✖ ${running}: the process exited while it ran.${rest}`;
}
