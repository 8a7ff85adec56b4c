import { type ClientOperations, clientOperations } from '../../../client/src/generated/wire.ts';

/** The reads of the client API that the console sends as a brand [D164]. */
const ids = [
  'listProducts',
  'getProduct',
  'getProductStock',
  'listStockLocations',
  'listStockLevels',
] as const;

type BrandReadId = (typeof ids)[number];

/** The same operations with the brand as their first path parameter. */
export type BrandReads = {
  readonly [Id in BrandReadId]: {
    readonly path: readonly [brandId: string | number, ...ClientOperations[Id]['path']];
    readonly query: ClientOperations[Id]['query'];
    readonly body: undefined;
    readonly response: ClientOperations[Id]['response'];
  };
};

/** Method and path of each read. The responses are those of the client API. */
export const brandReads = Object.fromEntries(
  ids.map((id) => [id, clientOperations[id].replace('/v1/client/', '/internal/v1/brands/{id}/')]),
) as Readonly<Record<BrandReadId, string>>;
