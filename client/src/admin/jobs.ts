import type { AdminApi } from '../admin-api.ts';
import type { Job, JobDetail, ListJobsQuery, PageMeta } from '../generated/internal-wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';

/** Jobs in the background. */
export class Jobs {
  readonly #api: AdminApi;

  constructor(api: AdminApi) {
    this.#api = api;
  }

  list(query?: ListJobsQuery, options?: PageOptions): Pages<Job, PageMeta> {
    return offsetPages(this.#api, 'listJobs', [], { query, options });
  }

  get(id: string, options?: CallOptions): Call<JobDetail> {
    return this.#api.call('getJob', [id], {}, options);
  }

  retry(id: string, options?: CallOptions): Call<Job> {
    return this.#api.call('retryJob', [id], {}, options);
  }
}
