import type { ResponseOf } from '../../api/call.ts';
import { counted } from '../../parts/messages.ts';

export type Revision = ResponseOf<'getDatasetDay'>['revisions'][number];

const causes: Readonly<Record<string, string>> = {
  nightly: 'Aggregated by the nightly run',
  request: 'Aggregated on request',
  late_events: 'Aggregated again by the nightly run',
  opt_out: 'Learners opted out, opted in or were erased',
  directory: 'Contents or markets were listed or deleted',
  repair: 'Repaired by the doctor',
  restore: 'Restored from a backup: clients read the day again',
};

/** Says why a revision differs from the one before it, such as `538 events came late`; undefined: none is known. */
export function causeText(
  { cause, events, rows }: Pick<Revision, 'cause' | 'events' | 'rows'>,
  before: Pick<Revision, 'events' | 'rows'> | undefined,
): string {
  const text = cause === null ? 'Not recorded: by an earlier version' : (causes[cause] ?? cause);
  if (before === undefined || events === null || before.events === null) return text;
  const late = events - before.events;
  if (late > 0) return `${counted(late, 'event', 'events')} came late. ${text}`;
  if (cause === 'late_events') return `An earlier day got late events: the running totals changed`;
  return events === before.events && rows === before.rows && isCounting(cause)
    ? `${text}: the same events`
    : text;
}

function isCounting(cause: Revision['cause']): boolean {
  return cause === 'nightly' || cause === 'request' || cause === 'repair';
}
