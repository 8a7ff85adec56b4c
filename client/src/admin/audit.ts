import type {
  AuditEntry,
  GetAuditCsvQuery,
  ListAuditEntriesQuery,
  PageMeta,
} from '../generated/internal-wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';
import { AdminResource } from '../resource.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';

/** Acts of administration. */
export class Audit extends AdminResource {
  list(query?: ListAuditEntriesQuery, options?: PageOptions): Pages<AuditEntry, PageMeta> {
    return offsetPages(this.api, 'listAuditEntries', [], { query, options });
  }

  /** Returns the entries as one text of CSV, newest first. `timeoutMs` has to suffice for all of them. */
  csv(query?: GetAuditCsvQuery, options?: CallOptions): Call<string> {
    return this.api.call('getAuditCsv', [], { query }, options);
  }
}
