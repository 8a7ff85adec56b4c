/** A row of docs/promises.md. */
export interface PromiseRow {
  readonly number: number;
  readonly promise: string;
  /** Paths of test files from the project's directory. */
  readonly tests: readonly string[];
}

/** Reads the rows of docs/promises.md. */
export function promiseRows(page: string): PromiseRow[] {
  return page
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const [, number, promise = '', tests = ''] = line.split('|').map((cell) => cell.trim());
      const linked = [...tests.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path]) => path as string);
      return { number: Number(number), promise, tests: linked };
    });
}

/** Returns arguments with the tests of each `--promise <number>` in its place. @throws RangeError for an unknown number */
export function withPromises(args: readonly string[], page: () => string): string[] {
  const at = args.indexOf('--promise');
  if (at < 0) return [...args];
  const row = promiseRows(page()).find(({ number }) => number === Number(args[at + 1]));
  if (row === undefined) throw new RangeError(`docs/promises.md has no promise ${args[at + 1]}.`);
  return withPromises([...args.slice(0, at), ...row.tests, ...args.slice(at + 2)], page);
}
