import { useApi } from '../../api/use-api.ts';
import { messages } from './messages.ts';

/** Something that needs somebody. */
export interface Concern {
  readonly subject: keyof typeof messages.subjects;
  readonly tone: 'bad' | 'warn';
  readonly text: string;
  /** The path below `/console` that shows it. */
  readonly to: string;
}

const refreshMs = 15_000;

export interface Concerns {
  /** Worst first. */
  readonly concerns: readonly Concern[];
  readonly isPending: boolean;
  readonly problem: Error | null;
  readonly retry: () => void;
}

/** Reads what needs somebody: wrong figures before failed jobs, failed jobs before late datasets. */
export function useConcerns(): Concerns {
  const doctor = useApi('listDoctorRuns', { query: { per_page: 1 } }, { refreshMs });
  const jobs = useApi('listJobs', { query: { state: 'failed', per_page: 1 } }, { refreshMs });
  const lags = useApi('listDatasetLags', { query: { per_page: 200 } }, { refreshMs });
  const reads = [doctor, jobs, lags];
  const last = doctor.data?.data[0];
  const failed = jobs.data?.meta.total ?? 0;
  return {
    concerns: [
      ...(last?.found ? [doctorConcern('bad', messages.doctorFound(last.found))] : []),
      ...(last?.state === 'failed' ? [doctorConcern('warn', messages.doctorFailed)] : []),
      ...(failed > 0
        ? [{ subject: 'jobs', tone: 'bad', text: messages.jobsFailed(failed), to: '/jobs' } as const]
        : []),
      ...(lags.data?.data ?? []).flatMap(({ brand_id, name, days_behind, dirty_days }) => {
        const to = `/brands/${brand_id}/datasets`;
        return [
          ...(days_behind !== null && days_behind > 0 ? [messages.behind(name, days_behind)] : []),
          ...(dirty_days > 0 ? [messages.dirty(name, dirty_days)] : []),
        ].map((text) => ({ subject: 'datasets', tone: 'warn', text, to }) as const);
      }),
    ],
    isPending: reads.some((read) => read.isPending),
    problem: reads.find((read) => read.error !== null)?.error ?? null,
    retry: () => {
      for (const read of reads) void read.refetch();
    },
  };
}

function doctorConcern(tone: Concern['tone'], text: string): Concern {
  return { subject: 'doctor', tone, text, to: '/doctor' };
}
