import type {
  DoctorRun,
  Job,
  JobDetail,
  JobsRetried,
  JobsRetry,
  ListDoctorRunsQuery,
  ListJobsQuery,
  PageMeta,
} from '../generated/internal-wire.ts';
import { offsetPages, type PageOptions, type Pages } from '../pages.ts';
import { AdminResource } from '../resource.ts';
import type { Call } from '../transport/attempt.ts';
import type { CallOptions } from '../transport/client-options.ts';

/** Jobs in the background. */
export class Jobs extends AdminResource {
  list(query?: ListJobsQuery, options?: PageOptions): Pages<Job, PageMeta> {
    return offsetPages(this.api, 'listJobs', [], { query, options });
  }

  get(id: string, options?: CallOptions): Call<JobDetail> {
    return this.api.call('getJob', [id], {}, options);
  }

  retry(id: string, options?: CallOptions): Call<Job> {
    return this.api.call('retryJob', [id], {}, options);
  }

  /** Queues all failed jobs that match again; without a filter, all failed jobs. */
  retryAll(body?: JobsRetry, options?: CallOptions): Call<JobsRetried> {
    return this.api.call('retryJobs', [], { body, isRepeatable: true }, options);
  }

  /** Starts a run of the doctor, or returns the one that waits or runs. */
  runDoctor(options?: CallOptions): Call<DoctorRun> {
    return this.api.call('createDoctorRun', [], { isRepeatable: true }, options);
  }

  /** Lists the runs of the doctor, newest first. */
  doctorRuns(query?: ListDoctorRunsQuery, options?: PageOptions): Pages<DoctorRun, PageMeta> {
    return offsetPages(this.api, 'listDoctorRuns', [], { query, options });
  }
}
