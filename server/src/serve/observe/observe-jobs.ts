import type { FastifyBaseLogger } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import { type JobObserver, jobOutcomes, queueNames } from '../../jobs/job.ts';

/** Counts the outcomes of jobs and measures them; logs failures, which are retried. */
export function observeJobs(registry: Registry, logger: Pick<FastifyBaseLogger, 'error'>): JobObserver {
  const runs = new Counter({
    name: 'brandport_jobs_total',
    help: 'Runs of jobs in this process, by outcome. A failed or interrupted job is retried.',
    labelNames: ['name', 'outcome'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'brandport_job_duration_seconds',
    help: 'Duration of the runs of jobs, in seconds.',
    labelNames: ['name'],
    buckets: [0.01, 0.1, 0.5, 1, 5, 30, 120, 600, 3_600, 21_600],
    registers: [registry],
  });
  // The label is not `job`, which Prometheus takes for the name of the scrape. An alert on the first failure needs the zero
  // before it.
  for (const name of queueNames) for (const outcome of jobOutcomes) runs.inc({ name, outcome }, 0);
  return {
    jobEnded: (job, outcome, seconds, error) => {
      runs.inc({ name: job, outcome });
      durations.observe({ name: job }, seconds);
      if (outcome === 'failed') logger.error({ err: error, job }, 'job failed, will retry');
    },
  };
}
