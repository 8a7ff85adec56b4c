import { figure } from '../../parts/messages.ts';

/** The words of the page about rate limits, and of the limits of a key and of a brand. */
export const messages = {
  title: 'Limits',
  lead: 'Requests per minute. A window begins with the first request after the last one ended. Limits are changed on the page of their key, and of the brand.',
  process: 'Counted by this process only.',
  redis: 'Counted by all processes together.',
  table: 'Rate limits',
  bucket: 'Limit',
  key: 'Key',
  brand: 'all keys',
  used: 'Used',
  limit: 'Allowed',
  unlimited: 'not limited',
  resets: 'Window ends',
  idle: 'no open window',
  own: 'Own until',
  noEnd: 'no end',
  notListed:
    'This key is not among the active keys of the brand: it is revoked or expired, or of another brand. Its limits cannot be changed.',
  form: {
    title: 'Rate limits',
    buckets: {
      catalog_reads: 'Reads of the catalog a minute',
      catalog_writes: 'Writes of the catalog a minute',
      analytics_key: 'Requests to analytics a minute',
      catalog_brand: 'Requests to the catalog a minute',
      analytics_brand: 'Requests to analytics a minute',
    } as Readonly<Record<string, string>>,
    use: (used: number, limit: number | null, isOwn: boolean) =>
      `${figure(used)} of ${limit === null ? 'unlimited' : figure(limit)} used in this minute. ${
        isOwn ? 'Empty: as configured.' : 'As configured while it is empty.'
      }`,
    until: 'Until',
    untilHint: 'Then the configured limits hold again. Empty: no end.',
    tighter: (most: number, limit: number) =>
      `${figure(most)} a minute is more than the ${figure(limit)} of all keys of the brand together, which hold as well.`,
    raise: (limits: string, until: string | null) =>
      `Raise the brand's limit to ${limits} ${until === null ? 'without end' : `until ${until}`}`,
    raiseTitle: 'Raise the limit of the whole brand?',
    raiseText: (until: string | null) =>
      until === null
        ? 'All keys of the brand may use it together, until somebody changes it again.'
        : `All keys of the brand may use it together. After ${until} the configured limit holds.`,
    replaced: (limit: number) =>
      `It replaces the brand's own limit of ${figure(limit)}, which does not come back.`,
    saveFirst: 'Set the limits of the key first.',
    raised: "The brand's limit is raised.",
    save: 'Set the limits',
    saved: 'The limits are saved.',
    remove: 'Use the configured limits',
    removed: 'The configured limits hold again.',
  },
  state: 'State',
  states: { free: 'free', near: 'nearly used up', full: 'used up' },
} as const;
