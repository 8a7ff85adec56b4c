/** The words of the leak box. */
export const messages = {
  title: 'Leak box',
  refused: 'Your role may not search here',
  lead: 'Paste a log, a mail or a commit: the box names every key and token in it. The text is neither logged nor stored.',
  label: 'Text',
  submit: 'Search',
  pending: 'Searching…',
  nothing: 'No key or token is in this text',
  table: 'Found',
  kind: 'Kind',
  name: 'Name',
  brand: 'Brand',
  state: 'State',
  secret: 'Secret',
  kinds: {
    api_key: 'API key',
    feed_token: 'Feed token',
    administrator_token: 'Administrator token',
    admin_token: 'Admin token of the server',
  },
  secrets: { real: 'the real secret', wrong: 'another secret', none: 'no secret' },
  revoked: 'revoked now',
  revoke: (count: number) => (count === 1 ? 'Revoke it' : `Revoke all ${count}`),
  revokeTitle: (count: number) => (count === 1 ? 'Revoke the leaked key?' : `Revoke ${count} leaked keys?`),
  revokeText:
    'Everything in the text whose real secret is shown stops working at once, for everybody: the finder and the integration.',
  adminToken:
    'The admin token of the server cannot be revoked here: set another BRANDPORT_ADMIN_TOKEN and restart.',
} as const;
