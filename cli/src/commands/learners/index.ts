import { addBrandOption } from '../../arguments/brand-option.ts';
import type { Define } from '../command.ts';
import { eraseLearners } from './erase-learners.ts';
import { setOptOut } from './set-opt-out.ts';

export const defineLearners: Define = (group, run) => {
  for (const [name, isOut, description] of [
    ['opt-out', true, 'exclude learners from all analytics, also from past days'],
    ['opt-in', false, 'include learners in the analytics again'],
  ] as const)
    addBrandOption(group.command(name).argument('[tu_id...]', 'the learners'))
      .description(description)
      .option('--file <path>', 'a tu_id a line; - is standard input')
      .action((ids, options) => run((context) => setOptOut(context, ids, { ...options, isOut })));
  addBrandOption(group.command('erase').argument('[tu_id...]', 'the learners'))
    .description(
      'erase learners from the datasets of learners and from the raw events; this cannot be undone',
    )
    .option('--file <path>', 'a tu_id a line; - is standard input')
    .action((ids, options) => run((context) => eraseLearners(context, ids, options)));
};
