import { readdir, readFile } from 'node:fs/promises';
import { sha256 } from '../../lib/sha256.ts';
import { readRevision } from './revision.ts';
import { orderObjects, type SchemaFile, type SchemaFiles } from './schema-file.ts';
import type { SchemaLine } from './schema-line.ts';

/** @throws Error if views or routines name each other in a circle */
export async function readSchemaFiles({ folder }: SchemaLine): Promise<SchemaFiles> {
  const [migrations, views, routines] = await Promise.all([
    readSqlFiles(new URL('migrations/', folder)),
    readSqlFiles(new URL('views/', folder)),
    readSqlFiles(new URL('routines/', folder)),
  ]);
  const objects = [...inFolder('views', views), ...inFolder('routines', routines)];
  return { migrations, objects: orderObjects(objects), revision: await readRevision(folder) };
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
