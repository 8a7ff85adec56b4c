import { AsyncLocalStorage } from 'node:async_hooks';

/** Writes one line to the log of the process. */
export type Log = (level: 'info' | 'warn' | 'error', message: string) => void;

interface JobIds {
  readonly job_id: string;
}

const running = new AsyncLocalStorage<JobIds>();

/** Runs a job, whose log lines then have its id. */
export function withJobId<T>(id: string, work: () => Promise<T>): Promise<T> {
  return running.run({ job_id: id }, work);
}

/** Runs `work` outside of any job: an event of a connection has the context of the job that opened it. */
export function outsideOfJobs(work: () => void): void {
  running.exit(work);
}

export function currentJobIds(): JobIds | undefined {
  return running.getStore();
}
