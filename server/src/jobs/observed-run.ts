import { inSpan } from '../lib/tracing.ts';
import type { JobObserver } from './job.ts';

/** Runs a job and reports its outcome. A run that fails after `stopping` counts as interrupted. */
export async function observedRun<T>(
  observer: JobObserver,
  job: string,
  run: () => Promise<T>,
  stopping?: AbortSignal,
): Promise<T> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  try {
    const result = await inSpan('job', job, run);
    observer.jobEnded(job, 'completed', seconds());
    return result;
  } catch (error) {
    observer.jobEnded(job, stopping?.aborted === true ? 'interrupted' : 'failed', seconds(), error);
    throw error;
  }
}
