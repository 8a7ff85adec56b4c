import { counted } from '../../parts/messages.ts';

/** The words of the page about a request. */
export const messages = {
  title: 'Request',
  tabTitle: (id: string) => `Request ${id}`,
  lead: 'Everything that requests with this id have written, or why they were refused, oldest first.',
  id: 'Request id',
  at: 'When',
  brand: 'Brand',
  by: 'By',
  operation: 'Operation',
  address: 'Address',
  label: 'What the request wrote',
  kinds: {
    stock_movement: 'Movement',
    stock_feed: 'Feed',
    idempotency_key: 'Response',
    audit_entry: 'Change',
    refusal: 'Refused',
  },
  where: (location: string) => `at ${location}`,
  lines: (count: number) => counted(count, 'line', 'lines'),
  reason: (reason: string) => `(${reason})`,
  required: 'One of these scopes',
  held: 'The key has',
  deleted: 'the key is deleted',
  guide: 'What it means, and what to do',
  requests: (count: string) => `first of ${count} requests in that minute`,
  stored: 'Stored response',
  storedText: 'A retry with the same Idempotency-Key receives it. The key is free again',
  noBody: 'The response has no body.',
  copy: 'Copy the response',
  neighbours: 'Refused requests of this key around that time',
  empty: 'No request with this id has written anything or was refused',
  emptyText:
    'It only read with success, or had no key; or it repeated a 401 or 429 of its minute, which the first one counts; or it is too long ago; or the id is mistyped. The id is in the X-Request-Id header of every response.',
} as const;
