import { withJobId } from '../lib/job-ids.ts';
import type { JobObserver } from './job.ts';

export interface TakenJob {
  readonly name: string;
  readonly id: string;
}

/** Runs a job and reports its outcome. A run that fails after `stopping` counts as interrupted. */
export function observedRun<T>(
  observer: JobObserver,
  { name, id }: TakenJob,
  run: () => Promise<T>,
  stopping?: AbortSignal,
): Promise<T> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const observed = async () => {
    try {
      const result = await run();
      observer.jobEnded(name, 'completed', seconds());
      return result;
    } catch (error) {
      observer.jobEnded(name, stopping?.aborted === true ? 'interrupted' : 'failed', seconds(), error);
      throw error;
    }
  };
  return withJobId(id, observed);
}
