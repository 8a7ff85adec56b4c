import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { countLines, sizeReport } from './size/size-report.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
process.stdout.write(`${sizeReport(await countLines(root))}\n`);
