import { AsyncLocalStorage } from 'node:async_hooks';
import { noteIds } from './tracing.ts';

export interface JobIds {
  readonly job_id: string;
  /** The id of the trace; absent without tracing. */
  readonly trace_id?: string;
}

const running = new AsyncLocalStorage<JobIds>();

/** Runs a job, whose log lines and current span then have its id. */
export function withJobId<T>(id: string, work: () => Promise<T>): Promise<T> {
  const traceId = noteIds({ job_id: id });
  return running.run({ job_id: id, ...(traceId !== null && { trace_id: traceId }) }, work);
}

/** Runs `work` outside of any job: an event of a connection has the context of the job that opened it. */
export function outsideOfJobs(work: () => void): void {
  running.exit(work);
}

export function currentJobIds(): JobIds | undefined {
  return running.getStore();
}
