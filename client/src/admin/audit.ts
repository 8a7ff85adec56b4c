import type { AdminApi } from '../admin-api.ts';
import type { AuditEntry, ListAuditEntriesQuery, PageMeta } from '../generated/internal-wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';

/** Acts of administration. */
export class Audit {
  readonly #api: AdminApi;

  constructor(api: AdminApi) {
    this.#api = api;
  }

  list(query?: ListAuditEntriesQuery, options?: PageOptions): Pages<AuditEntry, PageMeta> {
    return offsetPages(this.#api, 'listAuditEntries', [], { query, options });
  }
}
