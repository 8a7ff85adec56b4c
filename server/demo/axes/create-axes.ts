import { type BrandClient, clientFor, type DemoBrand } from '../client/demo-brand.ts';
import { requireStatus } from '../client/demo-client.ts';
import { differencesBetween } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { AxisChoice, LibraryAxis } from './axis-library.ts';

/** Creates the brand's axes, each with its values, and reads the library back. */
export async function createAxes(
  run: DataSetRun,
  brand: DemoBrand,
  axes: readonly LibraryAxis[],
): Promise<void> {
  const count = axes.reduce((sum, { values }) => sum + values.length, 0);
  await run.step(brand, 'create axis values', count, async (step) => {
    // Sequentially: an axis without a position is appended to the existing ones.
    for (const [index, { code, label, values }] of axes.entries()) {
      const client = clientFor(brand, index);
      const answer = await client.send((api, call) =>
        api.catalog.axes.create({ code, label, values }, { ...call, idempotencyKey: `create-axis:${code}` }),
      );
      requireStatus(answer, 201, `Creating the axis ${code}`);
      for (const text of differencesBetween(servedAxis(axes, index), answer.json, code)) step.differs(text);
      step.advance(values.length);
    }
    const { json } = await list(clientFor(brand, 0));
    const expected = axes.map((_, index) => servedAxis(axes, index));
    for (const text of differencesBetween(expected, json.data, 'axes')) step.differs(text);
  });
}

async function list(client: BrandClient) {
  const answer = await client.send((api, call) => api.catalog.axes.list({ per_page: 200 }, call).first());
  requireStatus(answer, 200, 'GET /catalog/axes?per_page=200');
  return answer;
}

function servedAxis(axes: readonly LibraryAxis[], index: number): object {
  const { code, label, values } = axes[index] as LibraryAxis;
  return {
    code,
    label,
    position: index,
    is_active: true,
    values: values.map(({ value, label }, position) => ({ value, label, position, is_active: true })),
  };
}

/**
 * A product's choice as served: on the product's detail, and with `is_active` by the endpoints of the
 * selection.
 */
export function servedChoice(
  axes: readonly LibraryAxis[],
  choice: readonly AxisChoice[],
  extra: { readonly is_active?: true } = {},
): object[] {
  return choice.map(({ code, values }, index) => {
    const axis = axes.find((candidate) => candidate.code === code) as LibraryAxis;
    return {
      code,
      label: axis.label,
      position: index,
      ...extra,
      values: axis.values.flatMap(({ value, label }, position) =>
        values.includes(value) ? [{ value, label, position, ...extra }] : [],
      ),
    };
  });
}
