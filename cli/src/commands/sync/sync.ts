import type { Define } from '../command.ts';
import { defineApply } from './sync-apply.ts';
import { defineColumns } from './sync-columns.ts';
import { definePlan } from './sync-plan.ts';

export const defineSync: Define = (command, run) => {
  definePlan(command.command('plan').description('compare files with the catalog; writes nothing'), run);
  defineColumns(command.command('columns').description('list the columns that sync plan reads'), run);
  defineApply(command.command('apply').description('carry out a plan; run again, it continues'), run);
};
