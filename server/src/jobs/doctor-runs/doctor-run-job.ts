import type { RunDoctor } from './doctor-run.ts';

export const doctorRunQueue = 'run-doctor';

/** All runs are one work: at most one waits or runs. */
export const doctorRunKey = 'all-brands';

/** The queue of examinations. A run that is interrupted fails: the next one has to begin at the start anyway [D159]. */
export const doctorRunJob = {
  name: doctorRunQueue,
  limitSeconds: 24 * 60 * 60,
  retryLimit: 0,
  keepSeconds: 90 * 24 * 60 * 60,
  run: async (
    { runDoctor }: { readonly runDoctor: RunDoctor },
    _data: object,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> => ({ ...(await runDoctor(signal)) }),
} as const;
