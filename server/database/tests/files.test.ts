import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  analyticsSchema,
  mainSchema,
  readSchemaFiles,
  sqlNameOf,
} from '../../src/postgres/schema/schema-files.ts';

const created = /^create (or replace )?(view|function|procedure) (?:analytics\.)?(\w+)/gm;

for (const line of [mainSchema, analyticsSchema])
  describe(`the files of ${line.folder.pathname.split('/').at(-2)}`, async () => {
    const { migrations, objects, revision } = await readSchemaFiles(line);

    it('number the migrations without a gap', () => {
      const names = migrations.flatMap(({ name, records }) => [
        ...records.slice(0, -1).map((record) => record.name),
        name,
      ]);
      for (const [index, name] of names.entries())
        assert.match(name, new RegExp(`^${String(index + 1).padStart(4, '0')}-[a-z0-9-]+$`));
    });

    it('have a revision, and views or routines', () => {
      assert.ok(revision > 0);
      assert.ok(objects.length > 0);
    });

    it('say in the first line of a routine why it is not a statement in a store', () => {
      for (const { name, sql } of objects)
        if (name.startsWith('routines/')) assert.match(sql, /^-- A routine because \S+ \S+ \S+/, name);
    });

    it('create by `create or replace` the object that they are named after, and no other', () => {
      for (const { name, sql } of objects) {
        const found = [...sql.matchAll(created)];
        assert.ok(found.length > 0, name);
        for (const [statement, orReplace, kind, object] of found) {
          assert.ok(orReplace, `${name}: ${statement}`);
          assert.equal(object, sqlNameOf(name));
          assert.equal(kind === 'view', name.startsWith('views/'), name);
        }
      }
    });

    it('create views and routines nowhere else, but now_ms() for column defaults', () => {
      for (const { sql } of migrations)
        for (const [, , , object] of sql.matchAll(created)) assert.equal(object, 'now_ms');
    });
  });
