import { internalOperations } from '../internal-operations.ts';
import { internalSchemas } from './internal-schemas.ts';
import { type DocumentInfo, type OpenApiDocument, openApiDocument } from './openapi-document.ts';

const info: DocumentInfo = {
  title: 'Brandport internal surface',
  version: '1.0.0',
  description: `The administrator's side: brands, their keys and feed tokens, and the record of what was changed.

Send \`Authorization: Bearer <admin token>\`. The token is \`BRANDPORT_ADMIN_TOKEN\`, or, where that is not set, in the file
\`admin-token\` of the data directory. API keys open nothing here, and the admin token opens nothing on the client API.

Lists, errors, \`X-Request-Id\`, \`X-Ignored\` with \`Prefer: handling=strict\`, and the 404 and 405 answers work as on the client API. There are no limits and no
\`Idempotency-Key\`: a write that was not answered may have happened, so look before you send it again.`,
  tags: [
    { name: 'Brands', description: 'The tenants and their settings.' },
    { name: 'API keys', description: 'Issue, rotate, revoke and delete keys.' },
    { name: 'Feed tokens', description: 'Tokens of the legacy stock feed path.' },
    { name: 'Directory', description: 'Markets, points of sale, learners and contents.' },
    { name: 'Analytics', description: 'Take learning events in, aggregate days.' },
    { name: 'Feeds and jobs', description: 'What is being worked on, and what has failed.' },
    { name: 'Audit', description: 'What was changed, and when.' },
  ],
  security: {
    name: 'adminToken',
    description: 'The admin token.',
    format: 'opaque',
  },
  schemas: internalSchemas,
};

/** The document that the internal listener serves. */
export function internalDocument(): OpenApiDocument {
  return openApiDocument(info, [{ prefix: '/internal/v1', operations: internalOperations }]);
}
