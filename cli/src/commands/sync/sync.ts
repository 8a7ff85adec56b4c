import { rowKinds } from '../../sync/wanted/row-kinds.ts';
import type { Define } from '../command.ts';
import { defineApply } from './sync-apply.ts';
import { definePlan } from './sync-plan.ts';

const columns = Object.values(rowKinds)
  .toReversed()
  .flatMap((kind) =>
    Object.entries(kind.columns).map(([column, value]) => ({ rows: kind.rows, column, value })),
  );

const defineColumns: Define = (command, run) => {
  command.action(() =>
    run(async ({ output }) => {
      await output.list(columns, {
        id: ({ column }) => column,
        columns: [
          { head: 'rows', value: ({ rows }) => rows },
          { head: 'column', value: ({ column }) => column },
          { head: 'value', value: ({ value }) => value },
        ],
      });
      return undefined;
    }),
  );
};

export const defineSync: Define = (command, run) => {
  definePlan(command.command('plan').description('compare files with the catalog; writes nothing'), run);
  defineColumns(command.command('columns').description('list the columns that sync plan reads'), run);
  defineApply(command.command('apply').description('carry out a plan; run again, it continues'), run);
};
