import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { engineNames } from '../analytics/store/coordination/engine-store.ts';
import { sha256 } from '../lib/sha256.ts';
import type { ArchiveReader } from './archive/archive-reader.ts';
import type { ArchiveWriter } from './archive/archive-writer.ts';
import { BackupError } from './backup-error.ts';

/**
 * The layouts of the archive: without and with rows of an engine. An earlier version must not restore what it does not know,
 * because it would omit rows.
 */
const formats = { everything: 1, withEngine: 2 } as const;

const Count = Type.Integer({ minimum: 0 });
const Identifier = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' });

const rowsPart = {
  /** The columns of each row, in order; computed columns are not in the archive. */
  columns: Type.Array(Identifier, { minItems: 1 }),
  member: Type.String(),
  rows: Count,
  bytes: Count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
};

const TablePart = Type.Object({ schema: Identifier, name: Identifier, ...rowsPart });

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

const EnginePart = Type.Object({
  version: Type.String(),
  /** A part for each month of a table. */
  tables: Type.Array(
    Type.Object({
      name: Identifier,
      /** `YYYYMM`. */
      month: Count,
      ...rowsPart,
    }),
  ),
});

const Manifest = Type.Object({
  format: Type.Enum(formats),
  brandport: Type.String(),
  created_at: Type.String(),
  /** `one_snapshot` if main and analytics share one; otherwise the milliseconds between their two snapshots. */
  seam: Type.Union([Type.Literal('one_snapshot'), Type.Object({ milliseconds: Count })]),
  main: SchemaPart,
  analytics: SchemaPart,
  /** The events and datasets in an engine; absent: they are in the tables of `analytics`. */
  [engineNames.part]: Type.Optional(EnginePart),
});

export type Manifest = Static<typeof Manifest>;
export type SchemaPart = Static<typeof SchemaPart>;
export type TablePart = Static<typeof TablePart>;
export type EnginePart = Static<typeof EnginePart>;
export type RowsPart = Pick<TablePart, 'member' | 'rows' | 'bytes' | 'sha256'>;

export function listParts(manifest: Omit<Manifest, 'format'>): readonly RowsPart[] {
  const { main, analytics, [engineNames.part]: part } = manifest;
  return [...main.tables, ...analytics.tables, ...(part?.tables ?? [])];
}

const manifestName = 'manifest.json';
const digestName = 'manifest.sha256';

/** Adds the manifest to an archive, and its digest. */
export async function addManifest(writer: ArchiveWriter, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format: formatOf(manifest), ...manifest }, null, 2)}\n`;
  await writer.addText(manifestName, text);
  await writer.addText(digestName, digestLine(text));
}

function formatOf({ [engineNames.part]: part }: Omit<Manifest, 'format'>): Manifest['format'] {
  return part === undefined ? formats.everything : formats.withEngine;
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
  const { format, brandport } = manifest as Partial<Manifest>;
  const known: readonly unknown[] = Object.values(formats);
  if (!known.includes(format))
    throw new BackupError(
      `it has the layout ${format} of Brandport ${brandport}; this version reads ${known.join(', ')}`,
    );
  if (!Value.Check(Manifest, manifest) || manifest.format !== formatOf(manifest))
    throw new BackupError('it is damaged: its manifest is incomplete');
  return manifest;
}
