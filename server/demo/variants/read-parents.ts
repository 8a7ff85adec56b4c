import type { Brandport } from '../../../client/src/index.ts';
import { servedChoice } from '../axes/create-axes.ts';
import { type BrandClient, type DemoBrand, shareOut } from '../client/demo-brand.ts';
import { type DemoCallOptions, requireStatus } from '../client/demo-client.ts';
import { differencesBetween, lastPageOf, pageOf } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { Parent } from './parent.ts';
import { type CatalogState, servedDetail, servedStock, servedVariants } from './served-parent.ts';

type Read = (api: Brandport, options: DemoCallOptions) => PromiseLike<unknown>;

/** An unusual page size, so that the variants of most products take several pages. */
const variantsPerPage = 7;
const manyVariantsPerPage = 50;

/** Reads every product in all possible ways: its detail, its axes, its variants page by page, its stock. */
export async function verifyParents(
  run: DataSetRun,
  brand: DemoBrand,
  parents: readonly Parent[],
  state: CatalogState,
): Promise<void> {
  await run.step(brand, 'read products', parents.length, (step) =>
    shareOut(brand.clients, parents, async (client, parent) => {
      const { tuId } = parent;
      const path = `/catalog/products/${tuId}`;
      const compare = async (expected: object, name: string, read: Read) => {
        const answer = await client.send(read);
        requireStatus(answer, 200, `GET ${path}${name}`);
        for (const text of differencesBetween(expected, answer.json, parent.body.sku + name))
          step.differs(text);
      };
      await compare(servedDetail(parent, state), '', ({ catalog }, call) => catalog.products.get(tuId, call));
      await compare(
        { data: servedChoice(state.axisLibrary, parent.choice, { is_active: true }) },
        '/axes',
        ({ catalog }, call) => catalog.products.getAxes(tuId, call),
      );
      await compare(servedStock(parent, state), '/stock', ({ catalog }, call) =>
        catalog.stock.get(tuId, {}, call),
      );
      const texts = await variantDifferences(client, path, parent, state);
      for (const text of texts) step.differs(`${parent.body.sku}/${text}`);
      step.advance();
    }),
  );
}

async function variantDifferences(
  client: BrandClient,
  path: string,
  parent: Parent,
  state: CatalogState,
): Promise<string[]> {
  const expected = servedVariants(parent, state).map((variant) => ({
    ...variant,
    product_tu_id: parent.tuId,
  }));
  const perPage = expected.length > manyVariantsPerPage ? manyVariantsPerPage : variantsPerPage;
  const texts: string[] = [];
  for (let page = 1; page <= lastPageOf(expected.length, perPage); page++) {
    const name = `variants?per_page=${perPage}&page=${page}`;
    const query = { per_page: perPage, page };
    const answer = await client.send((api, call) =>
      api.catalog.variants.list(parent.tuId, query, call).first(),
    );
    requireStatus(answer, 200, `GET ${path}/${name}`);
    texts.push(...differencesBetween(pageOf(expected, page, perPage), answer.json, name));
  }
  return texts;
}
