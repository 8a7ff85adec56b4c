import type { CliContext } from '../../context/cli-context.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { verify } from '../../pull/verify.ts';
import { openWarehouse, type WarehouseOptions } from './open-warehouse.ts';

/** Runs `brandport pull --verify`: lists the differences, and returns 3 if there are any. @throws CliError, BrandportError */
export async function runVerify(
  context: CliContext,
  list: string | undefined,
  options: WarehouseOptions,
): Promise<number> {
  const warehouse = await openWarehouse(context, list, options);
  let [days, rows] = [0, 0];
  try {
    const onDays = (more: number, moreRows: number) => {
      days += more;
      rows += moreRows;
    };
    const problems = await verify({ ...warehouse, signal: context.signal, onDays });
    await context.output.list(problems, {
      columns: [
        { head: 'PROBLEM', value: ({ kind }) => kind },
        { head: 'DAY OR FILE', value: ({ what }) => what },
      ],
      id: ({ what }) => what,
    });
    const found = problems.length === 0 ? 'no differences' : `${problems.length} differences`;
    context.tell(`${days} days with ${rows} rows compared: ${found}.`);
    return problems.length === 0 ? exitCodes.done : exitCodes.input;
  } finally {
    await warehouse.target.close();
  }
}
