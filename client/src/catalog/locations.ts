import type {
  ListStockLocationsQuery,
  PageMeta,
  StockLocation,
  StockLocationCreate,
  StockLocationUpdate,
} from '../generated/wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';
import { ClientResource } from '../resource.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions, WriteOptions } from '../transport/client-options.ts';

/** The brand's stock locations. */
export class Locations extends ClientResource {
  list(query?: ListStockLocationsQuery, options?: PageOptions): Pages<StockLocation, PageMeta> {
    return offsetPages(this.api, 'listStockLocations', [], { query, options });
  }

  create(body: StockLocationCreate, options?: WriteOptions): Call<StockLocation> {
    return this.api.call('createStockLocation', [], { body }, options);
  }

  update(externalCode: string, body: StockLocationUpdate, options?: CallOptions): Call<StockLocation> {
    return this.api.call('updateStockLocation', [externalCode], { body }, options);
  }
}
