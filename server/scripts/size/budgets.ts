import type { CountedFile } from './size-report.ts';

/**
 * Limits the size of each part of Brandport, in lines as the formatter leaves them; decisions and settings are counted.
 * A commit that removes something lowers its number. Raising one takes a decision [D287] in `docs/decisions/` that names
 * what a user gains.
 */
export const budgets = {
  product: 97_100,
  'server/src': 50_700,
  extensions: 4_260,
  cli: 12_650,
  client: 4_410,
  console: 15_950,
  bench: 4_560,
  scripts: 2_800,
  tests: 94_220,
  docs: 8_760,
  decisions: 133,
  settings: 40,
} as const satisfies Record<string, number>;

export type BudgetName = keyof typeof budgets;

/** A part of the repository, its size now and what it may have. */
export interface BudgetLine {
  readonly name: BudgetName;
  readonly size: number;
  readonly limit: number;
}

/** Measures every budget. `settings` is the number of environment variables that the server reads. */
export function measureBudgets(files: readonly CountedFile[], settings: number): readonly BudgetLine[] {
  const product = files.filter(({ area }) => area === 'product');
  const within = (folder: string) => product.filter(({ path }) => path.startsWith(`${folder}/`));
  const lines = (some: readonly CountedFile[]) => some.reduce((sum, file) => sum + file.lines, 0);
  const sizes: Record<BudgetName, number> = {
    product: lines(product),
    'server/src': lines(within('server/src')),
    extensions: lines(within('extensions')),
    cli: lines(within('cli')),
    client: lines(within('client')),
    console: lines(within('console')),
    bench: lines(within('bench')),
    scripts: lines(within('server/scripts')),
    tests: lines(files.filter(({ area }) => area === 'tests')),
    docs: lines(files.filter(({ area }) => area === 'docs')),
    decisions: files.filter(({ path }) => /^docs\/decisions\/\d/.test(path)).length,
    settings,
  };
  return Object.entries(budgets).map(([name, limit]) => {
    return { name: name as BudgetName, size: sizes[name as BudgetName], limit };
  });
}
