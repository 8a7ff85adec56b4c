import { readdir, readFile } from 'node:fs/promises';
import { sha256 } from '../../lib/secrets.ts';

/** A schema of PostgreSQL that Brandport keeps by its own files, with its bookkeeping. */
export interface ManagedSchema {
  /** Holds `migrations/`, `views/`, `routines/`, `revision.txt` and `replaced.txt`. */
  readonly folder: URL;
  /** The PostgreSQL schema of its objects and bookkeeping tables. */
  readonly schema: string;
}

/** The main database: brands, access, catalog, stock, feeds, directory. */
export const mainSchema: ManagedSchema = {
  folder: new URL('../../../database/main/', import.meta.url),
  schema: 'public',
};

/** The analytics store, which may be another database. */
export const analyticsSchema: ManagedSchema = {
  folder: new URL('../../../database/analytics/', import.meta.url),
  schema: 'analytics',
};

/** What a database records of a file that was applied. */
export interface AppliedFile {
  /** Path below the folder of the schema, without `.sql` and, for a migration, without `migrations/`. */
  readonly name: string;
  /** SHA-256 of the file, hexadecimal. */
  readonly checksum: string;
}

/** A file that creates or changes a part of the schema. */
export interface SchemaFile extends AppliedFile {
  readonly sql: string;
}

/** A migration: runs once, in the order of the names, and never changes. */
export interface Migration extends SchemaFile {
  /** What a database has recorded once it ran: itself; of the baseline, the migrations that it replaces [D320]. */
  readonly records: readonly AppliedFile[];
}

/** All schema files of this version. */
export interface SchemaFiles {
  readonly migrations: readonly Migration[];
  /** Views and routines, each after the ones that it names. A changed file is applied again. */
  readonly objects: readonly SchemaFile[];
  /** The number of this state of views and routines; a newer version has a higher one. */
  readonly revision: number;
}

/** The name of a view or routine in PostgreSQL: `views/variant-stock` creates `variant_stock`. */
export function sqlNameOf(file: string): string {
  return file.slice(file.indexOf('/') + 1).replaceAll('-', '_');
}

/** Sorts views and routines so that each follows those that its SQL names. @throws Error on a circle */
export function orderObjects(objects: readonly SchemaFile[]): SchemaFile[] {
  const words = new Map(objects.map((object) => [object, wordsOf(object.sql)]));
  const ordered = new Set<SchemaFile>();
  const place = (object: SchemaFile, path: readonly SchemaFile[]) => {
    if (ordered.has(object)) return;
    if (path.includes(object))
      throw new Error(
        `Views or routines name each other: ${[...path, object].map((o) => o.name).join(' -> ')}.`,
      );
    for (const other of objects)
      if (other !== object && words.get(object)?.has(sqlNameOf(other.name))) place(other, [...path, object]);
    ordered.add(object);
  };
  for (const object of objects) place(object, []);
  return [...ordered];
}

function wordsOf(sql: string): Set<string> {
  return new Set(sql.replaceAll(/--.*$/gm, '').match(/\w+/g));
}

/** The database does not fit the schema files of this version. The message is for the operator: what to do. */
export class MigrationError extends Error {}

/** @throws Error if views or routines name each other in a circle */
export async function readSchemaFiles({ folder }: ManagedSchema): Promise<SchemaFiles> {
  const [first, views, routines, replaced] = await Promise.all([
    readSqlFiles(new URL('migrations/', folder)),
    readSqlFiles(new URL('views/', folder)),
    readSqlFiles(new URL('routines/', folder)),
    readReplaced(folder),
  ]);
  const migrations = first.map((migration, place) => ({
    ...migration,
    records: place === 0 && replaced.length > 0 ? replaced : [migration],
  }));
  const objects = [...inFolder('views', views), ...inFolder('routines', routines)];
  return { migrations, objects: orderObjects(objects), revision: await readRevision(folder) };
}

/** The lines of the folder's `replaced.txt`: the migrations that the first one replaces; none where there is no file. */
async function readReplaced(folder: URL): Promise<AppliedFile[]> {
  const text = await readText(new URL('replaced.txt', folder));
  return [...text.matchAll(/^(\S+) ([0-9a-f]{64})$/gm)].map(([, name, checksum]) => ({
    name: name as string,
    checksum: checksum as string,
  }));
}

function inFolder(folder: string, files: readonly SchemaFile[]): SchemaFile[] {
  return files.map((file) => ({ ...file, name: `${folder}/${file.name}` }));
}

/** Reads the files in the order of their names; none if the folder does not exist. */
async function readSqlFiles(folder: URL): Promise<SchemaFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return Promise.all(
    names
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map(async (name) => {
        const sql = await readFile(new URL(name, folder), 'utf8');
        return { name: name.slice(0, -'.sql'.length), sql, checksum: sha256(sql).toString('hex') };
      }),
  );
}

/** The number in the folder's `revision.txt`; 0 where there is none. */
export async function readRevision(folder: URL): Promise<number> {
  const text = await readText(new URL('revision.txt', folder));
  return Math.max(0, ...entriesOf(text).map(({ revision }) => revision));
}

/**
 * Returns the text of `revision.txt` for the given views and routines: the same if it has their digest, else one with the next
 * number. A merge may have left several entries; the highest number counts.
 */
export async function nextRevisionText(folder: URL, objects: readonly SchemaFile[]): Promise<string> {
  const names = objects.map(({ name, checksum }) => `${name} ${checksum}\n`).sort();
  const digest = sha256(...names).toString('hex');
  const text = await readText(new URL('revision.txt', folder));
  const entries = entriesOf(text);
  if (entries.length === 1 && entries[0]?.digest === digest) return text;
  const revision = Math.max(0, ...entries.map((entry) => entry.revision)) + 1;
  return `${header}${revision} ${digest}\n`;
}

const header = `# The state of views/ and routines/: a number and their digest. \`npm run generate\` raises the number when a file changes.
# A database records the number, so that an older version does not apply its older files.
`;

function entriesOf(text: string): { revision: number; digest: string }[] {
  return [...text.matchAll(/^(\d+) ([0-9a-f]{64})$/gm)].map(([, revision, digest]) => ({
    revision: Number(revision),
    digest: digest as string,
  }));
}

/** Reads a file; '' where there is none. */
async function readText(file: URL): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}
