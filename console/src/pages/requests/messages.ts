import { counted } from '../../parts/messages.ts';

/** The words of the page about a request. */
export const messages = {
  title: 'Request',
  tabTitle: (id: string) => `Request ${id}`,
  id: 'Request id',
  lead: 'Everything that requests with this id have written, or why they were refused, oldest first. Recorded responses are kept for 24 hours.',
  label: 'What the request wrote',
  kinds: {
    stock_movement: 'Movement',
    stock_feed: 'Feed',
    idempotency_key: 'Response',
    audit_entry: 'Change',
    refusal: 'Refused',
  },
  at: (location: string) => `at ${location}`,
  lines: (count: number) => counted(count, 'line', 'lines'),
  by: 'by',
  brand: 'brand',
  reason: (reason: string) => `(${reason})`,
  fields: 'fields',
  requests: (count: string) => `first of ${count} requests in that minute`,
  empty: 'No request with this id has written anything or was refused',
  emptyText:
    'It only read with success, or had no key; or it repeated a 401 or 429 of its minute, which the first one counts; or it is too long ago; or the id is mistyped. The id is in the X-Request-Id header of every response.',
} as const;
