import { Analytics } from './analytics/analytics.ts';
import { Catalog } from './catalog.ts';
import { Feeds } from './feeds/feeds.ts';
import { type ClientOperations, clientOperations } from './generated/wire.ts';
import { Api } from './transport/api.ts';
import { authorizationFor, type ClientOptions, settingsFrom } from './transport/client-options.ts';
import { Transport } from './transport/transport.ts';

export interface BrandportOptions extends ClientOptions {
  /** `tuk_<24 hex>.<40 characters>`. It never appears in messages, hooks or inspections. */
  readonly apiKey: string;
}

/** A client of the API of one brand. Its calls share connections and limits: create one per key and process. */
export class Brandport {
  readonly catalog: Catalog;
  readonly feeds: Feeds;
  readonly analytics: Analytics;

  /** @throws TypeError for options that are not valid */
  constructor(options: BrandportOptions) {
    const settings = settingsFrom(options);
    const transport = new Transport(settings, authorizationFor('apiKey', options.apiKey));
    const api = new Api<ClientOperations>(clientOperations, settings, transport);
    this.catalog = new Catalog(api);
    this.feeds = new Feeds(api);
    this.analytics = new Analytics(api);
  }
}
