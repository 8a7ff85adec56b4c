import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { listSettings } from '../src/config.ts';
import { measureBudgets } from './size/budgets.ts';
import { countLines, sizeReport } from './size/size-report.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = await countLines(root);
process.stdout.write(`${sizeReport(files, measureBudgets(files, listSettings().length))}\n`);
