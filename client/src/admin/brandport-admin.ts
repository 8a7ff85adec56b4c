import { type InternalOperations, internalOperations } from '../generated/internal-wire.ts';
import type { AdminApi } from '../resource.ts';
import { Api } from '../transport/api.ts';
import { authorizationFor, type ClientOptions, settingsFrom } from '../transport/client-options.ts';
import { Transport } from '../transport/transport.ts';
import { Administrators, Audit } from './administrators.ts';
import { Brands } from './brands.ts';
import { Datasets } from './datasets.ts';
import { Directory } from './directory.ts';
import { Feeds } from './feeds.ts';
import { Jobs } from './jobs.ts';
import { Keys } from './keys.ts';
import { Lookups } from './lookups.ts';

export interface BrandportAdminOptions extends ClientOptions {
  /** The token of the internal surface. It never appears in messages, hooks or inspections. */
  readonly adminToken: string;
}

/**
 * A client of the internal surface, which administers all brands. Its POSTs take no Idempotency-Key: one that creates
 * something is not retried when its outcome is unknown.
 */
export class BrandportAdmin {
  readonly brands: Brands;
  readonly keys: Keys;
  readonly directory: Directory;
  readonly datasets: Datasets;
  readonly feeds: Feeds;
  readonly jobs: Jobs;
  readonly administrators: Administrators;
  readonly audit: Audit;
  readonly lookups: Lookups;

  /** @throws TypeError for options that are not valid */
  constructor(options: BrandportAdminOptions) {
    const settings = settingsFrom(options);
    const transport = new Transport(settings, authorizationFor('adminToken', options.adminToken));
    const api: AdminApi = new Api<InternalOperations>(internalOperations, settings, transport);
    this.brands = new Brands(api);
    this.keys = new Keys(api);
    this.directory = new Directory(api);
    this.datasets = new Datasets(api);
    this.feeds = new Feeds(api);
    this.jobs = new Jobs(api);
    this.administrators = new Administrators(api);
    this.audit = new Audit(api);
    this.lookups = new Lookups(api);
  }
}
