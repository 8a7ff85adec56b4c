import type {
  Administrator,
  AdministratorCreate,
  AuditEntry,
  GetAuditCsvQuery,
  IssuedAdministrator,
  ListAdministratorsQuery,
  ListAuditEntriesQuery,
  ListSessionsQuery,
  PageMeta,
  Session,
} from '../generated/internal-wire.ts';
import { offsetPages, type PageOptions, type Pages } from '../pages.ts';
import { AdminResource } from '../resource.ts';
import type { Call } from '../transport/attempt.ts';
import type { CallOptions, WriteOptions } from '../transport/client-options.ts';

/** Tokens with a role, and the sessions of browsers. */
export class Administrators extends AdminResource {
  list(query?: ListAdministratorsQuery, options?: PageOptions): Pages<Administrator, PageMeta> {
    return offsetPages(this.api, 'listAdministrators', [], { query, options });
  }

  /** The token is in this response only; null if the response was lost and a retry found the administrator. */
  create(body: AdministratorCreate, options?: WriteOptions): Call<IssuedAdministrator> {
    return this.api.call('createAdministrator', [], { body }, options);
  }

  /** Also ends the administrator's sessions. */
  delete(id: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteAdministrator', [id], {}, options);
  }

  sessions(query?: ListSessionsQuery, options?: PageOptions): Pages<Session, PageMeta> {
    return offsetPages(this.api, 'listSessions', [], { query, options });
  }

  endSession(id: number, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteSession', [id], {}, options);
  }
}

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
