import type { KeyStatus } from '../generated/wire.ts';
import type { ClientApi } from '../resource.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { Axes } from './axes.ts';
import { Locations } from './locations.ts';
import { Products } from './products.ts';
import { Stock } from './stock.ts';
import { Variants } from './variants.ts';

/** The catalog of the key's brand. */
export class Catalog {
  readonly products: Products;
  readonly variants: Variants;
  readonly axes: Axes;
  readonly locations: Locations;
  readonly stock: Stock;
  readonly #api: ClientApi;

  constructor(api: ClientApi) {
    this.#api = api;
    this.products = new Products(api);
    this.variants = new Variants(api);
    this.axes = new Axes(api);
    this.locations = new Locations(api);
    this.stock = new Stock(api);
  }

  /** Returns the brand and scopes of the API key. */
  status(options?: CallOptions): Call<KeyStatus> {
    return this.#api.call('getCatalogStatus', [], {}, options);
  }
}
