import { internalGroups } from '../operations.ts';
import { type DocumentInfo, type OpenApiDocument, openApiDocument } from './openapi-document.ts';

const info: DocumentInfo = {
  title: 'Brandport internal surface',
  version: '1.0.0',
  description: `Administration of brands, their keys and feed tokens, with an audit log of every change.

Send \`Authorization: Bearer <token>\`: the admin token, or the token of an administrator, whose role decides what it may do. The admin token is \`BRANDPORT_ADMIN_TOKEN\` or, if that is not set, the content of the file\n\`admin-token\` in the data directory. API keys are not accepted here, and the admin token is not accepted by the client API.

Lists, errors, \`X-Request-Id\`, \`X-Ignored\` with \`Prefer: handling=strict\`, and 404 and 405 responses work as in the client API.
\`GET /internal/v1/brands/{id}/catalog/…\` and \`/analytics/…\` return what the same path of the client API returns to a key of that brand with
all read scopes, with the same \`ETag\`; \`/status\` is missing. The reference at \`/docs/\` of the client listener describes them.

After 30 wrong tokens in a minute, an address receives 429 for a right one too, until the minute is over. An address may sign in ten times a minute. There are no other rate limits.

A POST of brands, keys, rotations, feed tokens, administrators, re-queues, corrections or aggregations takes an \`Idempotency-Key\`: with it, a retry performs the write once, and the replay shows no secret. PUT, DELETE and learning events can be repeated without one. If another write gets no response, check its outcome before you retry.`,
  tags: [
    { name: 'Overview', description: 'What needs attention.' },
    { name: 'Brands', description: 'Brands and their settings.' },
    { name: 'API keys', description: 'Issue, rotate, revoke and delete keys.' },
    { name: 'Feed tokens', description: 'Tokens for the legacy stock feed path.' },
    { name: 'Directory', description: 'Markets, points of sale, learners and contents.' },
    { name: 'Analytics', description: 'Ingest learning events, aggregate days.' },
    { name: 'Catalog', description: 'Find SKUs and explain stock.' },
    { name: 'Feeds and jobs', description: 'Work in progress and failed work.' },
    { name: 'Administrators', description: 'Tokens with a role, and sessions of browsers.' },
    { name: 'Console', description: 'Sessions of browsers.' },
    { name: 'Audit', description: 'The audit log of the internal surface.' },
  ],
  security: {
    name: 'adminToken',
    description: 'The admin token, or the token of an administrator.',
    format: 'opaque',
  },
};

/** Builds the document of the internal surface, which is committed and served as `server/openapi-internal.json`. */
export const internalDocument = (): OpenApiDocument => openApiDocument(info, internalGroups);
