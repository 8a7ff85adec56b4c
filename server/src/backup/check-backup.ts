import { Writable } from 'node:stream';
import { readSchemaFiles } from '../postgres/schema/schema-files.ts';
import { isEarly } from '../postgres/schema/schema-history.ts';
import { analyticsSchema, mainSchema, type SchemaLine } from '../postgres/schema/schema-line.ts';
import { ArchiveReader } from './archive/archive-reader.ts';
import type { TextMeasure } from './archive/text-meter.ts';
import { BackupError } from './backup-error.ts';
import { listParts, type Manifest, readManifest, type SchemaPart, type TablePart } from './manifest.ts';

export interface CheckedBackup {
  readonly reader: ArchiveReader;
  readonly manifest: Manifest;
}

/**
 * Opens a backup and reads all of it once. The caller closes its reader.
 * @throws BackupError when it is damaged, truncated, no backup, or of a newer Brandport
 */
export async function openBackup(file: string, cancelled: AbortSignal): Promise<CheckedBackup> {
  const reader = await ArchiveReader.open(file).catch((error: unknown) => refuse(file, error));
  try {
    const manifest = await readManifest(reader);
    await requireKnownSchema(manifest, manifest.main, mainSchema);
    await requireKnownSchema(manifest, manifest.analytics, analyticsSchema);
    for (const table of listParts(manifest)) {
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      requireMeasure(table, await reader.copyTo(table.member, nowhere, cancelled));
    }
    return { reader, manifest };
  } catch (error) {
    await reader.close();
    return refuse(file, error);
  }
}

/** @throws BackupError when the content of a member is not what the manifest says */
export function requireMeasure(table: TablePart, { rows, bytes, sha256 }: TextMeasure): void {
  if (rows !== table.rows || bytes !== table.bytes || sha256 !== table.sha256)
    throw new BackupError(`it is damaged: ${table.member} does not match its checksum`);
}

/** @throws BackupError when a row of a table is missing */
export function requireArrived({ member, rows }: Pick<TablePart, 'member' | 'rows'>, arrived: number): void {
  if (arrived !== rows) throw new BackupError(`${member} has ${rows} rows, and ${arrived} arrived`);
}

function refuse(file: string, error: unknown): never {
  if (!(error instanceof BackupError) || error.message.startsWith(file)) throw error;
  throw new BackupError(`${file} cannot be restored: ${error.message}. Nothing was written.`);
}

/** Checks the schema of a backup: it may be older than this version's, not newer. */
async function requireKnownSchema(
  { brandport }: Manifest,
  part: SchemaPart,
  line: SchemaLine,
): Promise<void> {
  const files = await readSchemaFiles(line);
  const { migrations, revision } = part;
  if (isEarly(files, migrations))
    throw new BackupError(
      `it is of an early Brandport (${brandport}): restore it with version 0.2, and make a backup there`,
    );
  const known = new Map(files.migrations.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    const expected = known.get(name);
    if (expected === undefined)
      throw new BackupError(
        `it is of a newer Brandport (${brandport}): this version does not have the migration ${name}`,
      );
    if (expected !== checksum)
      throw new BackupError(`its migration ${name} is not the one that this version has`);
  }
  if (revision > files.revision)
    throw new BackupError(
      `it is of a newer Brandport (${brandport}): its views and routines have revision ${revision}, this version has ` +
        `${files.revision}`,
    );
}
