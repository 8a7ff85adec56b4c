import { clientDocument } from '../src/http/docs/client-document.ts';
import { internalDocument } from '../src/http/docs/internal-document.ts';
import { documentText, type OpenApiDocument } from '../src/http/docs/openapi-document.ts';
import {
  analyticsSchema,
  type ManagedSchema,
  mainSchema,
  nextRevisionText,
  readSchemaFiles,
} from '../src/postgres/schema/schema-files.ts';
import { type ApiDocument, clientTypes, datasetNamesModule, scopesModule } from './client-types.ts';
import { datasetTablesModule } from './dataset-tables.ts';
import { columnsPage, decisionsPage, invariantsPage } from './pages.ts';
import { serverCommandsModule } from './server-commands.ts';
import { settingsPage } from './settings-page.ts';
import { validationModules } from './validation-modules.ts';

/** A generated file of the repository. */
export interface GeneratedFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly content: string;
}

/** The root of the repository. */
export const repositoryRoot = new URL('../../', import.meta.url);

/** Returns the current content of every generated file. */
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
    { path: 'console/src/generated/datasets.ts', content: datasetNamesModule() },
    ...(await validationModules(repositoryRoot)),
    { path: 'cli/src/generated/server-commands.ts', content: serverCommandsModule() },
    { path: 'cli/src/generated/dataset-tables.ts', content: datasetTablesModule() },
    { path: 'docs/guides/warehouse-columns.md', content: columnsPage() },
    { path: 'docs/configuration.md', content: settingsPage() },
    {
      path: 'docs/decisions/README.md',
      content: await decisionsPage(new URL('docs/decisions/', repositoryRoot)),
    },
    { path: 'docs/invariants.md', content: invariantsPage() },
    { path: 'server/database/main/revision.txt', content: await revisionText(mainSchema) },
    { path: 'server/database/analytics/revision.txt', content: await revisionText(analyticsSchema) },
  ];
}

/** The document as it is served: plain JSON. */
function parsed(document: OpenApiDocument): ApiDocument {
  return JSON.parse(documentText(document));
}

async function revisionText(managed: ManagedSchema): Promise<string> {
  return nextRevisionText(managed.folder, (await readSchemaFiles(managed)).objects);
}
