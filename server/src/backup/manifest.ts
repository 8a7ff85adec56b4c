import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { sha256 } from '../lib/sha256.ts';
import type { ArchiveReader } from './archive/archive-reader.ts';
import type { ArchiveWriter } from './archive/archive-writer.ts';
import { BackupError } from './backup-error.ts';

/** The layout of the archive. An earlier version must not restore what it does not know, because it would omit rows. */
const format = 1;

const Count = Type.Integer({ minimum: 0 });
const Identifier = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' });

const TablePart = Type.Object({
  schema: Identifier,
  name: Identifier,
  /** The columns of each row, in order; computed columns are not in the archive. */
  columns: Type.Array(Identifier, { minItems: 1 }),
  member: Type.String(),
  rows: Count,
  bytes: Count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

const SchemaPart = Type.Object({
  /** When the snapshot was taken, by the database's clock. */
  snapshot_at: Type.String(),
  postgres: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() }), { minItems: 1 }),
  /** The revision of views and routines. */
  revision: Count,
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
  format: Type.Literal(format),
  brandport: Type.String(),
  created_at: Type.String(),
  /** `one_snapshot` if main and analytics share one; otherwise the milliseconds between their two snapshots. */
  seam: Type.Union([Type.Literal('one_snapshot'), Type.Object({ milliseconds: Count })]),
  main: SchemaPart,
  analytics: SchemaPart,
});

export type Manifest = Static<typeof Manifest>;
export type SchemaPart = Static<typeof SchemaPart>;
export type TablePart = Static<typeof TablePart>;

export function listParts({ main, analytics }: Omit<Manifest, 'format'>): readonly TablePart[] {
  return [...main.tables, ...analytics.tables];
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

/** @throws BackupError when the archive has none, or a damaged one, or is in a layout that this version does not know */
export async function readManifest(reader: ArchiveReader): Promise<Manifest> {
  if (!reader.names.includes(manifestName)) throw new BackupError('it is not a backup');
  const text = await reader.readText(manifestName);
  if ((await reader.readText(digestName)) !== digestLine(text))
    throw new BackupError('it is damaged: its manifest does not match its checksum');
  const manifest: unknown = JSON.parse(text);
  const found = manifest as { readonly format?: unknown; readonly brandport?: unknown };
  if (found.format !== format)
    throw new BackupError(
      `it has the layout ${found.format} of Brandport ${found.brandport}; this version reads ${format}`,
    );
  if (!Value.Check(Manifest, manifest)) throw new BackupError('it is damaged: its manifest is incomplete');
  return manifest;
}
