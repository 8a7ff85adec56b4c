import { clientDomains } from '../client-domains.ts';
import { clientIntroduction } from './client-introduction.ts';
import { clientSchemas } from './client-schemas.ts';
import { type DocumentInfo, type OpenApiDocument, openApiDocument } from './openapi-document.ts';

const info: DocumentInfo = {
  title: 'Brandport client API',
  version: '1.0.0',
  description: clientIntroduction(clientDomains.flatMap(({ operations }) => operations)),
  tags: [
    { name: 'Status', description: 'The API key of the request.' },
    { name: 'Products', description: 'Create, read, change and archive products.' },
    { name: 'Axes', description: 'The brand’s library of variant axes and their values.' },
    { name: 'Axis selection', description: 'The axes and values that a product’s variants are built from.' },
    { name: 'Variants', description: 'Create, generate, change and delete the variants of a product.' },
    { name: 'Stock', description: 'Stock locations, stock levels, and the ledger of stock movements.' },
    { name: 'Stock feeds', description: 'Set thousands of stock figures at once, in the background.' },
    { name: 'Analytics', description: 'Pull learning analytics, day by day.' },
  ],
  security: {
    name: 'apiKey',
    description: 'An API key, `tuk_<24 hex>.<40 characters>`, issued by an administrator.',
    format: 'tuk_<24 hex>.<40 characters>',
  },
  schemas: clientSchemas,
};

let document: OpenApiDocument | undefined;

/** The document of the client API, which is committed and served as `server/openapi.json`; built once. */
export function clientDocument(): OpenApiDocument {
  document ??= openApiDocument(info, clientDomains);
  return document;
}
