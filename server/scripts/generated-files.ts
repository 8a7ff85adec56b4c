import { clientDocument } from '../src/http/docs/client-document.ts';
import { internalDocument } from '../src/http/docs/internal-document.ts';
import { documentText, type OpenApiDocument } from '../src/http/docs/openapi-document.ts';
import {
  analyticsSchema,
  mainSchema,
  nextRevisionText,
  readSchemaFiles,
  type SchemaLine,
} from '../src/postgres/schema/schema-files.ts';
import { clientTypes, scopesModule } from './client-types/client-types.ts';
import type { ApiDocument } from './client-types/json-schema.ts';
import { validationModules } from './client-types/validation-modules.ts';
import { columnsPage } from './columns-page/columns-page.ts';
import { decisionsPage } from './decisions-page/decisions-page.ts';
import { invariantsPage } from './invariants-page/invariants-page.ts';
import { dumpSchema, withFreshDatabase } from './schema-dump/dump-schema.ts';
import { settingsPage } from './settings-page/settings-page.ts';

/** A generated file of the repository. */
export interface GeneratedFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly content: string;
}

/** The root of the repository. */
export const repositoryRoot = new URL('../../', import.meta.url);

/**
 * Returns the current content of every generated file. Starts an embedded PostgreSQL while it reads the
 * schema that the migrations create.
 */
export async function makeGeneratedFiles(): Promise<GeneratedFile[]> {
  return [
    { path: 'server/openapi.json', content: documentText(clientDocument()) },
    { path: 'server/openapi-internal.json', content: documentText(internalDocument()) },
    { path: 'client/src/generated/wire.ts', content: clientTypes(parsed(clientDocument()), 'client') },
    {
      path: 'client/src/generated/internal-wire.ts',
      content: clientTypes(parsed(internalDocument()), 'internal'),
    },
    { path: 'client/src/generated/scopes.ts', content: scopesModule() },
    ...(await validationModules(repositoryRoot)),
    { path: 'docs/guides/warehouse-columns.md', content: columnsPage() },
    { path: 'docs/configuration.md', content: settingsPage() },
    {
      path: 'docs/decisions/README.md',
      content: await decisionsPage(new URL('docs/decisions/', repositoryRoot)),
    },
    { path: 'docs/invariants.md', content: invariantsPage() },
    { path: 'server/database/main/revision.txt', content: await revisionText(mainSchema) },
    { path: 'server/database/analytics/revision.txt', content: await revisionText(analyticsSchema) },
    { path: 'server/schema.sql', content: await withFreshDatabase(dumpSchema) },
  ];
}

/** The document as it is served: plain JSON. */
function parsed(document: OpenApiDocument): ApiDocument {
  return JSON.parse(documentText(document));
}

async function revisionText(line: SchemaLine): Promise<string> {
  return nextRevisionText(line.folder, (await readSchemaFiles(line)).objects);
}
