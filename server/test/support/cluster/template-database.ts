import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Connection } from './find-or-start-cluster.ts';

export const templatePrefix = 'brandport_template_';

/** Templates that are kept next to the current one, for switching between branches. */
const keptTemplates = 3;

// Any fixed number; the lock is taken in the maintenance database, where nothing else takes one.
const templateLock = 7_340_112;

const serverDir = fileURLToPath(new URL('../../../', import.meta.url));

/** The sources of the template: the SQL, the code that applies it, and the job queue's own schema. */
const sources = ['database', 'src/postgres', 'src/jobs'];

/** The name of the template database that fits the current sources: another schema has another name. */
export function templateNameOf(dir: string = serverDir): string {
  const hash = createHash('sha256');
  const files = sources.flatMap((source) => listFiles(join(dir, source)));
  if (!files.some((file) => file.endsWith('.sql'))) throw new Error(`no SQL files in ${sources.join(', ')}`);
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${file.slice(dir.length)}\n${content.length}\n`).update(content);
  }
  hash.update(readFileSync(fileURLToPath(new URL('../package.json', import.meta.resolve('pg-boss')))));
  return `${templatePrefix}${hash.digest('hex').slice(0, 16)}`;
}

function listFiles(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.slice(dir.length).includes('/tests/'))
    .sort();
}

/**
 * Creates the template database `name` with `fill`, unless it exists, and drops the oldest templates. Any number of
 * processes may call this at once: one works, the others wait. A process killed meanwhile leaves no template behind.
 */
export async function ensureTemplate(
  server: Connection,
  name: string,
  fill: (database: Connection) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    if (await exists(client, name)) return;
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    if (await exists(client, name)) return;
    const unfinished = `${templatePrefix}unfinished`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished}`);
    await fill({ ...server, database: unfinished });
    await client.query(`alter database ${unfinished} rename to ${name}`);
    await dropOldTemplates(client, name);
  } finally {
    await client.end();
  }
}

async function exists(client: pg.Client, name: string): Promise<boolean> {
  return (await client.query('select from pg_database where datname = $1', [name])).rows.length > 0;
}

/** Object ids grow, so the lowest are the oldest. */
async function dropOldTemplates(client: pg.Client, current: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1) and datname <> $2 order by oid desc offset $3',
    [templatePrefix, current, keptTemplates],
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname}`);
}
