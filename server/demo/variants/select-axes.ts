import type { LibraryAxis } from '../axes/axis-library.ts';
import { servedChoice } from '../axes/create-axes.ts';
import { type BrandClient, type DemoBrand, shareOut } from '../client/demo-brand.ts';
import { requireStatus } from '../client/demo-client.ts';
import { differencesBetween } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { CreatedProduct } from '../products/create-products.ts';
import type { ParentSource, PendingParent } from './parent.ts';

export interface AxisSelections {
  readonly axisLibrary: readonly LibraryAxis[];
  readonly sources: readonly ParentSource[];
  /** The products of the sources. They have no variants yet. */
  readonly created: readonly CreatedProduct[];
}

/** Selects the axes of every product. */
export async function selectAxes(
  run: DataSetRun,
  brand: DemoBrand,
  { axisLibrary, sources, created }: AxisSelections,
): Promise<PendingParent[]> {
  const ids = new Map(created.map(({ body, answer }) => [body.sku, answer.json.tu_id]));
  return run.step(brand, 'select axes', sources.length, async (step) => {
    const parents: PendingParent[] = [];
    await shareOut(brand.clients, sources, async (client, source, index) => {
      const { body, choice } = source;
      // A refused product has no id; its requests then fail with 404, which is reported.
      const tuId = ids.get(body.sku) ?? 'not-created';
      const answer = await select(client, tuId, choice);
      requireStatus(answer, 200, `Selecting the axes of ${body.sku}`);
      const expected = { data: servedChoice(axisLibrary, choice, { is_active: true }) };
      for (const text of differencesBetween(expected, answer.json, body.sku)) step.differs(text);
      parents[index] = { ...source, tuId };
      step.advance();
    });
    return parents;
  });
}

function select(client: BrandClient, tuId: string, axes: ParentSource['choice']) {
  return client.send((api, call) => api.catalog.products.replaceAxes(tuId, { axes }, call));
}
