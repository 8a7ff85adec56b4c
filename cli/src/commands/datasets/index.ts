import { addBrandOption } from '../../arguments/brand-option.ts';
import { addListOptions } from '../../arguments/list-options.ts';
import type { Define } from '../command.ts';
import { aggregateDays } from './aggregate-days.ts';
import { listDays } from './list-days.ts';
import { listLag } from './list-lag.ts';

export const defineDatasets: Define = (group, run) => {
  addListOptions(addBrandOption(group.command('days')))
    .description('list the days of a brand, newest first: what is missing, dirty or late')
    .option('--from <day>', 'the first UTC day; default: a year before --to')
    .option('--to <day>', 'the last day; default: yesterday')
    .action((options) => run((context) => listDays(context, options)));
  addListOptions(group.command('lag').description('list the brands, furthest behind first')).action(
    (options) => run((context) => listLag(context, options)),
  );
  addBrandOption(group.command('aggregate'))
    .description('aggregate days again; many days are a job, which is waited for')
    .requiredOption('--from <day>', 'the first UTC day, such as 2026-03-01')
    .option('--to <day>', 'the last day; default: --from')
    .option('--no-wait', 'do not wait for the job')
    .action((options) => run((context) => aggregateDays(context, options)));
};
