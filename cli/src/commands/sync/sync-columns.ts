import { rowKinds } from '../../sync/wanted/row-kinds.ts';
import type { Define } from '../command.ts';

const columns = Object.values(rowKinds)
  .toReversed()
  .flatMap((kind) =>
    Object.entries(kind.columns).map(([column, value]) => ({ rows: kind.rows, column, value })),
  );

export const defineColumns: Define = (command, run) => {
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

/** Returns the names of all columns, for the help of the commands that read them. */
export function columnsHelp(): string {
  const lines = Object.values(rowKinds)
    .toReversed()
    .map(({ rows, columns: named }) => `  ${rows.padEnd(9)}  ${Object.keys(named).join(', ')}\n`);
  return `\nColumns, which brandport sync columns describes:\n${lines.join('')}`;
}
