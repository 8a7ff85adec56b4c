import { figure } from './messages.ts';

/** The words of the charts of activity. */
export const activityMessages = {
  title: 'Last 24 hours',
  none: 'Nothing has happened in the last 24 hours, nor in the day before.',
  requests: 'requests',
  feedLines: 'feed lines',
  events: 'learning events',
  served: 'Served',
  unserved: 'Refused or failed',
  decided: 'Decided',
  refusedLines: 'Refused',
  accepted: 'Accepted',
  total: (label: string, total: number, before: number) =>
    `${figure(total)} ${label}, ${figure(before)} the day before`,
} as const;
