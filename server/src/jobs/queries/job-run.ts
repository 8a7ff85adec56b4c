/** A job of any state, also one that is done. */
export interface JobRun {
  readonly id: string;
  readonly state: 'queued' | 'running' | 'failed' | 'completed';
  /** The start time, or the earliest possible one. */
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** The last error. */
  readonly error: string | null;
}

export interface JobRunRow<State = JobRun['state']> {
  readonly id: string;
  readonly state: State;
  readonly started_on: Date | null;
  readonly completed_on: Date | null;
  readonly error: string | null;
}

/** The columns of a row; pg-boss has no call for what is read here, and documents its table. */
export const jobRunColumns = `id,
  case state::text when 'created' then 'queued' when 'retry' then 'queued' when 'active' then 'running'
    when 'completed' then 'completed' else 'failed' end as state,
  started_on, completed_on,
  case when state <> 'completed' then coalesce(output ->> 'message', output -> 'value' ->> 'message') end as error`;

export function jobRunFromRow({ id, state, started_on, completed_on, error }: JobRunRow): JobRun {
  return { id, state, startedAt: started_on, finishedAt: completed_on, error };
}
