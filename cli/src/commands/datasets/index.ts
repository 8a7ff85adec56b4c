import { addBrandOption } from '../../arguments/brand-option.ts';
import { addListOptions } from '../../arguments/list-options.ts';
import type { Define } from '../command.ts';
import { aggregateDays } from './aggregate-days.ts';
import { listDays } from './list-days.ts';

export const defineDatasets: Define = (group, run) => {
  addListOptions(addBrandOption(group.command('days')))
    .description('list the aggregated days of a brand, newest first')
    .action((options) => run((context) => listDays(context, options)));
  addBrandOption(group.command('aggregate'))
    .description('aggregate days again; many days are a job, which is waited for')
    .requiredOption('--from <day>', 'the first UTC day, such as 2026-03-01')
    .option('--to <day>', 'the last day; default: --from')
    .option('--no-wait', 'do not wait for the job')
    .action((options) => run((context) => aggregateDays(context, options)));
};
