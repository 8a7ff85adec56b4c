import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../api/field-schemas.ts';
import type { JobRun } from '../jobs/queue-store.ts';

export const LastRunWire = Type.Object({
  job_id: Type.String(),
  state: Type.String({ enum: ['queued', 'running', 'failed', 'completed'] }),
  started_at: Nullable(Timestamp()),
  finished_at: Nullable(Timestamp()),
  error: Nullable(Type.String(), { description: 'The last error.' }),
});

export function lastRunToWire(run: JobRun): Static<typeof LastRunWire> {
  return {
    job_id: run.id,
    state: run.state,
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
    error: run.error,
  };
}
