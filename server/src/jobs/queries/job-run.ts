export interface JobRun {
  readonly id: string;
  readonly state: 'queued' | 'running' | 'failed' | 'completed';
  /** The start time, or the earliest possible one. */
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly error: string | null;
}

/** The columns of a row; pg-boss has no call for what is read here, and documents its table. */
export const jobRunColumns = `id,
  case state::text when 'created' then 'queued' when 'retry' then 'queued' when 'active' then 'running'
    when 'completed' then 'completed' else 'failed' end as state,
  started_on as "startedAt", completed_on as "finishedAt",
  case when state <> 'completed' then coalesce(output ->> 'message', output -> 'value' ->> 'message') end as error`;
