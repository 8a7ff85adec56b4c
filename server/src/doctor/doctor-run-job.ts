export interface BrandDifferences {
  readonly check: string;
  readonly brandId: number;
  readonly found: number;
}

export interface DoctorOutcome {
  readonly brands: number;
  readonly found: number;
  /** Only checks that found something. */
  readonly differences: readonly BrandDifferences[];
}

/** Examines all derived figures and repairs nothing. `signal` stops it: it then rejects with the reason. */
export type RunDoctor = (signal: AbortSignal) => Promise<DoctorOutcome>;

/** The name of the queue, also as a literal of SQL. */
export const doctorRunQueue = 'run-doctor';

/** All runs are one work: at most one waits or runs. */
export const doctorRunKey = 'all-brands';

/** The job of an examination. A run that is interrupted fails: the next one has to begin at the start anyway [D71]. */
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
