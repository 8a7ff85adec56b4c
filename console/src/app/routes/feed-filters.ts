import { dayIn, oneOfIn, pageIn, searchOf, textIn } from '../search-params.ts';

/** Reads the filters of a list of feeds, of one brand or of all. */
export const readFeedFilters = searchOf((search) => ({
  status: oneOfIn(search, 'status', ['queued', 'processing', 'completed', 'failed']),
  source: textIn(search, 'source'),
  refused_lines: String(search['refused_lines']) === 'true' || undefined,
  from: dayIn(search, 'from'),
  to: dayIn(search, 'to'),
  page: pageIn(search),
}));
