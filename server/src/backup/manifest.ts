import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { sha256 } from '../lib/secrets.ts';
import { checksumsOf, isBeforeBaseline } from '../postgres/schema/bookkeeping.ts';
import {
  analyticsSchema,
  type ManagedSchema,
  mainSchema,
  readSchemaFiles,
} from '../postgres/schema/schema-files.ts';
import { ArchiveReader, type ArchiveWriter, BackupError } from './archive.ts';

/**
 * The layout of the archive. An earlier version must not restore what it does not know, because it would omit rows. Layout 1 has
 * checksums in the manifest, which are not read, instead of those of zstd; 2 to 4 had rows of other stores or of one brand.
 */
const format = 5;

const Count = Type.Integer({ minimum: 0 });
const Identifier = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' });

const TablePart = Type.Object({
  schema: Identifier,
  name: Identifier,
  /** The columns of each row, in order; computed columns are not in the archive. */
  columns: Type.Array(Identifier, { minItems: 1 }),
  rows: Count,
});

const SchemaPart = Type.Object({
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() }), { minItems: 1 }),
  tables: Type.Array(TablePart),
  sequences: Type.Array(
    Type.Object({ schema: Identifier, name: Identifier, last_value: Type.String({ pattern: '^\\d+$' }) }),
  ),
  /** The months that have a partition, such as `2026-03`. */
  event_months: Type.Array(Type.String({ pattern: '^\\d{4}-\\d\\d$' })),
  /** The version of the job queue's schema; null in the analytics store, or without a queue. */
  queue_version: Type.Union([Count, Type.Null()]),
});

const Manifest = Type.Object({
  format: Type.Union([Type.Literal(1), Type.Literal(format)]),
  brandport: Type.String(),
  /** When the snapshot was taken, by the database's clock. */
  created_at: Type.String(),
  main: SchemaPart,
  analytics: SchemaPart,
});

export type Manifest = Static<typeof Manifest>;
export type SchemaPart = Static<typeof SchemaPart>;
export type TablePart = Static<typeof TablePart>;

/** The name of the member with the rows of a table, in PostgreSQL's text format. */
export function memberOf({ schema, name }: Pick<TablePart, 'schema' | 'name'>): string {
  return `${schema}.${name}.copy.zst`;
}

const manifestName = 'manifest.json';
const digestName = 'manifest.sha256';

/** Adds the manifest to an archive, and its digest. */
export async function addManifest(writer: ArchiveWriter, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format, ...manifest }, null, 2)}\n`;
  await writer.addText(manifestName, text);
  await writer.addText(digestName, digestLine(text));
}

/** In the form that `sha256sum --check` reads. */
function digestLine(manifest: string): string {
  return `${sha256(manifest).toString('hex')}  ${manifestName}\n`;
}

export interface OpenBackup {
  readonly reader: ArchiveReader;
  readonly manifest: Manifest;
}

/**
 * Opens a backup. The caller closes its reader.
 * @throws BackupError when it is truncated, no backup, or of another version that this one cannot read; damage of a table shows
 *   when it is restored
 */
export async function openBackup(file: string): Promise<OpenBackup> {
  const reader = await ArchiveReader.open(file).catch((error: unknown) => {
    throw refusal(file, error);
  });
  try {
    const manifest = await readManifest(reader);
    await requireKnownSchema(manifest, manifest.main, mainSchema);
    await requireKnownSchema(manifest, manifest.analytics, analyticsSchema);
    const members = [...manifest.main.tables, ...manifest.analytics.tables].map(memberOf);
    const missing = members.find((member) => !reader.has(member));
    if (missing !== undefined) throw new BackupError(`it is damaged: ${missing} is missing`);
    return { reader, manifest };
  } catch (error) {
    await reader.close();
    throw refusal(file, error);
  }
}

/** Names the file in an error that says what it is; other errors stay as they are. */
export function refusal(file: string, error: unknown): unknown {
  if (!(error instanceof BackupError && error.message.startsWith('it '))) return error;
  return new BackupError(`${file} cannot be restored: ${error.message}. Nothing was restored.`, {
    cause: error,
  });
}

async function readManifest(reader: ArchiveReader): Promise<Manifest> {
  if (!reader.has(manifestName)) throw new BackupError('it is not a backup');
  const text = await reader.readText(manifestName);
  if ((await reader.readText(digestName)) !== digestLine(text))
    throw new BackupError('it is damaged: its manifest does not match its checksum');
  const manifest: unknown = JSON.parse(text);
  const found = manifest as { readonly format?: unknown; readonly brandport?: unknown };
  if (found.format !== 1 && found.format !== format)
    throw new BackupError(
      `it has the layout ${found.format} of Brandport ${found.brandport}; this version reads 1 and ${format}`,
    );
  if (!Value.Check(Manifest, manifest)) throw new BackupError('it is damaged: its manifest is incomplete');
  return manifest;
}

/** Checks the schema of a backup: this version has to know all of its migrations. */
async function requireKnownSchema(
  { brandport }: Manifest,
  { migrations }: SchemaPart,
  managed: ManagedSchema,
): Promise<void> {
  const files = await readSchemaFiles(managed);
  const known = checksumsOf(files);
  if (isBeforeBaseline(files, migrations))
    throw new BackupError(
      `it is of Brandport ${brandport}, whose schema is older than that of the last 0.3: restore it with that version, and ` +
        'upgrade then',
    );
  for (const { name, checksum } of migrations)
    if (known.get(name) !== checksum)
      throw new BackupError(
        `it is of Brandport ${brandport}, whose migration ${name} this version does not have: restore it with that version`,
      );
}
