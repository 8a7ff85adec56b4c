import { appendFile, cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { projectDir } from '../support/server-process.ts';

/** Adds a column to every table, so that every statement meets a changed table. */
const additiveMigration = `
do $$
declare
  name text;
begin
  for name in
    select quote_ident(c.relname) from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not like 'schema\\_%'
  loop
    execute 'alter table ' || name || ' add column added_later integer not null default 0';
  end loop;
end
$$;
create index products_added_later on products (brand_id, added_later);
`;

/** The name of the migration that only the newer version has. */
const newerMigration = '9999-added-later';

/**
 * A copy of the server that has one migration more and another text of a view and of a routine, gone after the test. Returns its
 * project directory.
 */
export async function makeNewerVersion(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'brandport-newer-'));
  after(() => rm(dir, { recursive: true, force: true }));
  const documents = ['server/openapi.json', 'server/openapi-internal.json'];
  for (const part of ['package.json', 'server/package.json', 'server/src', 'server/database', ...documents])
    await cp(join(projectDir, part), join(dir, part), { recursive: true });
  await symlink(join(projectDir, 'node_modules'), join(dir, 'node_modules'));
  await writeFile(join(dir, `server/database/main/migrations/${newerMigration}.sql`), additiveMigration);
  for (const object of ['views/variant-stock', 'routines/note-learner-return'])
    await appendFile(join(dir, `server/database/main/${object}.sql`), '-- newer\n');
  await writeFile(join(dir, 'server/database/main/revision.txt'), `9999 ${'0'.repeat(64)}\n`);
  return dir;
}
