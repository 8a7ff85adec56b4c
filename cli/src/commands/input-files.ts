import type { CliContext } from '../context/cli-context.ts';
import type { InputFile } from '../input/input-rows.ts';

/** Returns the files of a command line; `-` is the standard input, as JSONL if its name in front says so: `jsonl:-`. */
export function inputFiles(
  { stdin }: Pick<CliContext, 'stdin'>,
  paths: readonly string[],
  delimiter: string | undefined,
): InputFile[] {
  return paths.map((path) => {
    const [, format] = /^(csv|jsonl):-$/.exec(path) ?? [];
    if (path !== '-' && format === undefined) return { path, delimiter };
    return { path: 'standard input', stream: stdin, format: (format ?? 'csv') as 'csv' | 'jsonl', delimiter };
  });
}
