import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runSql } from '../../fresh-database.ts';
import { projectDir } from '../../server-process.ts';
import { testServer } from '../../test-database.ts';
import { ensureTemplate, templateNameOf, templatePrefix } from '../template-database.ts';

const server = await testServer();

const run = (sql: string) => runSql(server, sql);

describe('the name of the template database', () => {
  const copy = mkdtempSync(join(tmpdir(), 'brandport-template-'));
  after(() => rmSync(copy, { recursive: true }));
  for (const folder of ['database', 'src/postgres', 'src/jobs']) {
    const from = join(projectDir, 'server', folder);
    cpSync(from, join(copy, folder), { recursive: true });
  }

  it('follows from the content of the sources alone', () => {
    assert.equal(templateNameOf(`${copy}/`), templateNameOf());
  });

  it('changes with one byte of the SQL', () => {
    const before = templateNameOf(`${copy}/`);
    const sql = readdirSync(copy, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.sql'),
    );
    appendFileSync(join(copy, sql ?? assert.fail('no SQL')), '\n');
    assert.notEqual(templateNameOf(`${copy}/`), before);
  });
});

describe('the template database', () => {
  const name = `${templatePrefix}of_a_test`;
  after(() => run(`drop database if exists ${name}`));

  it('is not there when making it failed, and is made by one of many who ask at the same time', async () => {
    const failure = ensureTemplate(server, name, () => Promise.reject(new Error('not filled')));
    await assert.rejects(failure, /not filled/);
    assert.deepEqual(await run(`select datname from pg_database where datname = '${name}'`), []);

    let fills = 0;
    const fill = async () => {
      fills += 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => ensureTemplate(server, name, fill)));
    assert.equal(fills, 1);
    assert.equal((await run(`select datname from pg_database where datname = '${name}'`)).length, 1);
  });
});
