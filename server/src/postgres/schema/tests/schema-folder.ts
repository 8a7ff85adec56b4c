import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ManagedSchema } from '../schema-files.ts';

/** Files of a schema by path; `null` deletes one. */
export type Files = Readonly<Record<string, string | null>>;

/** A version of a small schema in its own folder, gone after the tests. */
export async function schemaVersion(revision: number, ...files: readonly Files[]): Promise<ManagedSchema> {
  const dir = await mkdtemp(`${tmpdir()}/brandport-schema-`);
  after(() => rm(dir, { recursive: true, force: true }));
  const folder = pathToFileURL(`${dir}/`);
  const all = Object.assign({ 'revision.txt': `${revision} ${'0'.repeat(64)}\n` }, ...files) as Files;
  for (const [path, text] of Object.entries(all)) {
    if (text === null) continue;
    const file = fileURLToPath(new URL(path, folder));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return { folder, schema: 'public' };
}

/** A table, two views of which one reads the other, a function and a trigger. */
export const firstFiles: Files = {
  'migrations/0001-schema.sql': `
    create table things (id integer primary key, name text, quantity integer not null default 0);
    create table notes (thing_id integer not null)`,
  'views/all-things.sql': 'create or replace view all_things as select id, name from things',
  // Its name comes first, and it has to come last.
  'views/a-summary.sql':
    'create or replace view a_summary as select count(*)::integer as things from all_things',
  'routines/double.sql': `
    -- A routine because it is a test. a_summary stands only in this comment.
    create or replace function double(given integer) returns integer language sql as 'select given * 2'`,
  'routines/note-thing.sql': `
    create or replace function note_thing() returns trigger language plpgsql as $$
    begin
      insert into notes (thing_id) values (new.id);
      return null;
    end $$;
    create or replace trigger things_note after insert on things for each row execute function note_thing()`,
};
