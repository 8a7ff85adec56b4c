import type { Operation } from '../../api/operation.ts';
import { catalogOperations } from '../../catalog/operations.ts';
import type { Domain } from '../admission.ts';
import { type DocumentInfo, openApiDocument } from './openapi-document.ts';

export interface ClientDomain {
  readonly domain: Domain;
  readonly prefix: string;
  readonly operations: readonly Operation[];
  /** Whether GET paths answer HEAD; in analytics they do not (decision Analytics 10). */
  readonly head: boolean;
}

/** Everything that the client listener serves to API keys. */
export const clientDomains: readonly ClientDomain[] = [
  { domain: 'catalog', prefix: '/v1/client/catalog', operations: catalogOperations, head: true },
];

const info: DocumentInfo = {
  title: 'Brandport client API',
  version: '1.0.0',
  description: `Machine-to-machine access to a brand's catalog.

**Keys.** Send \`Authorization: Bearer <API_KEY>\`. A key belongs to one brand, and everything is looked up inside of it.

**Retries.** Send an \`Idempotency-Key\` with every write that takes one, and the same key with every try: the write
happens once, and a retry gets the first answer again, byte for byte, with \`Idempotency-Replayed: true\`.

**Lists** answer \`{ data, meta }\` and take \`page\` and \`per_page\` (50 by default, 200 at most).

**Limits.** Every response says in \`X-RateLimit-*\` what is left of the tightest limit. On 429 wait \`Retry-After\` seconds.

**Errors** are \`{ code, message }\`, with \`errors\` by field on \`validation_failed\`. Branch on \`code\`.

**Changes** are additive: ignore fields that you do not know.`,
  tags: [
    { name: 'Status', description: 'Who am I?' },
    { name: 'Products', description: 'Create, read, change and archive products.' },
  ],
  security: {
    name: 'apiKey',
    description: 'An API key, `tuk_<24 hex>.<40 characters>`, issued by an administrator.',
  },
};

/** The document that `/openapi.json` serves, and whose copy is committed as `server/openapi.json`. */
export function clientDocument(): Record<string, unknown> {
  return openApiDocument(info, clientDomains);
}
