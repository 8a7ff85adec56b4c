/** The words of the page about rate limits. */
export const messages = {
  title: 'Limits',
  lead: 'Requests per minute. A window begins with the first request after the last one ended.',
  process: 'Counted by this process only. With REDIS_URL all processes count together.',
  redis: 'Counted by all processes together.',
  table: 'Rate limits',
  bucket: 'Limit',
  key: 'Key',
  brand: 'all keys',
  used: 'Used',
  limit: 'of',
  unlimited: 'not limited',
  resets: 'Window ends',
  idle: 'no open window',
  state: 'State',
  states: { free: 'free', near: 'nearly used up', full: 'used up' },
} as const;
