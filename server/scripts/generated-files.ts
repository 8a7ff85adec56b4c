import { clientDocument } from '../src/http/docs/client-document.ts';
import { internalDocument } from '../src/http/docs/internal-document.ts';
import { documentText } from '../src/http/docs/openapi-document.ts';
import { nextRevisionText } from '../src/postgres/schema/revision.ts';
import { readSchemaFiles } from '../src/postgres/schema/schema-files.ts';
import { analyticsSchema, mainSchema, type SchemaLine } from '../src/postgres/schema/schema-line.ts';
import { errorsPage } from './errors-page/errors-page.ts';
import { invariantsPage } from './invariants-page/invariants-page.ts';
import { dumpSchema } from './schema-dump/dump-schema.ts';
import { withFreshDatabase } from './schema-dump/fresh-database.ts';

/** A file of the repository that is made from the code. */
export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly content: string;
}

/** Where paths of generated files start. */
export const repositoryRoot = new URL('../../', import.meta.url);

/**
 * Every generated file as it should be now. Starts an embedded PostgreSQL for as long as it takes to read the schema
 * that the migrations make.
 */
export async function makeGeneratedFiles(): Promise<GeneratedFile[]> {
  return [
    { path: 'server/openapi.json', content: documentText(clientDocument()) },
    { path: 'server/openapi-internal.json', content: documentText(internalDocument()) },
    { path: 'docs/errors.md', content: errorsPage() },
    { path: 'docs/invariants.md', content: invariantsPage() },
    { path: 'server/database/main/revision.txt', content: await revisionText(mainSchema) },
    { path: 'server/database/analytics/revision.txt', content: await revisionText(analyticsSchema) },
    { path: 'server/schema.sql', content: await withFreshDatabase(dumpSchema) },
  ];
}

async function revisionText(line: SchemaLine): Promise<string> {
  return nextRevisionText(line.folder, (await readSchemaFiles(line)).objects);
}
