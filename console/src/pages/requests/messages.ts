/** The words of the page about a request. */
export const messages = {
  title: 'Request',
  tabTitle: (id: string) => `Request ${id}`,
  id: 'Request id',
  lead: 'Everything that requests with this id have written, oldest first. Recorded responses are kept for 24 hours.',
  label: 'What the request wrote',
  kinds: {
    stock_movement: 'Movement',
    stock_feed: 'Feed',
    idempotency_key: 'Response',
    audit_entry: 'Change',
  },
  at: (location: string) => `at ${location}`,
  lines: (count: string) => `${count} lines`,
  by: 'by',
  brand: 'brand',
  empty: 'No request with this id has written anything',
  emptyText:
    'It only read, or it was refused, or the id is mistyped. The id is in the X-Request-Id header of every response.',
} as const;
