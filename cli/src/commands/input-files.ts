import { InvalidArgumentError } from 'commander';
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

/** Returns the parser of `--column <column=name>`, which may be given several times. */
export function columnParser(isKnown: (column: string) => boolean) {
  return (text: string, columns: Record<string, string> = {}): Record<string, string> => {
    const [column = '', name = ''] = text.split(/=(.*)/s);
    if (!isKnown(column) || name === '')
      throw new InvalidArgumentError('It is not a column and its name in the file, such as sku=article.');
    return { ...columns, [column]: name };
  };
}
