import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { listSettings } from '../src/config.ts';
import { measureBudgets } from './size/budgets.ts';
import { countLines } from './size/size-report.ts';

/** Part of `npm run check`: names every part of the repository that is larger than its budget, and exits with 1 then. */
const files = await countLines(fileURLToPath(new URL('../../', import.meta.url)));
const exceeded = measureBudgets(files, listSettings().length).filter(({ size, limit }) => size > limit);
for (const { name, size, limit } of exceeded)
  process.stderr.write(
    `${name}: ${size.toLocaleString('en')}, budget ${limit.toLocaleString('en')}. Remove something, or raise the budget with a decision (server/scripts/size/budgets.ts).\n`,
  );
process.exitCode = exceeded.length > 0 ? 1 : 0;
