import { counted } from '../../parts/messages.ts';

/** The words of the pages about learners. */
export const messages = {
  title: 'Learners',
  lead: 'Only ids are stored: no name, no address.',
  table: 'Learners',
  id: 'Learner',
  market: 'Market',
  optOut: 'Analytics',
  counted: 'counted',
  excluded: 'opted out',
  changed: 'Changed',
  created: 'Created',
  filters: { tuId: 'Learner id', market: 'Market', optedOut: 'Analytics' },
  empty: 'No learner yet',
  emptyText: 'The directory of learners is sent by the platform.',
  noneMatch: 'No learner matches the filters',
  firstDay: 'First active day',
  lastDay: 'Last active day',
  noDay: 'no activity',
  stale: {
    title: 'Days that still count this learner',
    text: 'These days were aggregated before the exclusion. Aggregate them again to remove the learner from their totals.',
    none: 'No aggregated day is older than the exclusion.',
    action: (count: number) =>
      count === 1 ? 'Aggregate this day again' : `Aggregate these ${count} days again`,
    pending: 'Aggregating…',
    done: (count: number) => `${counted(count, 'day is', 'days are')} aggregated again.`,
  },
  optOutAction: 'Opt out of analytics',
  optInAction: 'Opt back in',
  optedOut: 'The learner is excluded from all analytics from now on.',
  optedIn: 'The learner is counted again.',
  erase: 'Erase',
  eraseTitle: (id: string) => `Erase ${id}?`,
  eraseText:
    'The learner disappears from the directory, the raw events and the user-level datasets. Aggregates keep their totals. This cannot be undone.',
  erased: 'The learner is erased.',
  bulk: {
    link: 'Opt out a list',
    title: 'Opt out a list of learners',
    lead: 'One learner id a line. Ids that are not in the directory are added to it as opted out.',
    file: 'File',
    ids: 'Learner ids',
    submit: (count: number) => `Opt out ${counted(count, 'learner', 'learners')}`,
    done: (count: number) => `${counted(count, 'learner is', 'learners are')} opted out.`,
  },
} as const;
