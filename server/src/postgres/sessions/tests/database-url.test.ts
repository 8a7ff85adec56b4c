import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDatabaseUrl } from '../../connection-options.ts';

describe('a DATABASE_URL', () => {
  for (const url of [
    'postgresql://u:p@db.example:5433/brandport?sslmode=verify-full',
    'postgres://u@localhost/brandport?host=%2Fvar%2Frun&port=5433',
    'postgres://u:p%40q@%2Fvar%2Frun:5432/brandport',
    'postgres://u:a,b@[::1]:5433/brandport',
    'postgres://u@db/brandport?target_session_attrs=read-write',
    'postgres:///brandport?host=/var/run/postgresql',
  ])
    it(`has one server: ${url}`, () => assert.equal(isDatabaseUrl(url), true));

  for (const url of [
    'mysql://a/db',
    'postgres',
    'postgresql://u:p@a:99999/db',
    'postgresql://u:p@a:x/db',
    'postgresql://u:%zz@a/db',
    'postgresql://u:p@a:5433,b/db',
    'postgresql://u:p@a:5432,b:5433/db',
    'postgresql://u:p@a,b/db?target_session_attrs=read-write&sslmode=require',
    'postgresql://u:p@ignored/db?host=a,b&port=5433,5432',
    'postgresql://u:p@ignored/db?host=a%2Cb',
    'postgres://u@[::1]:5433,[::2]/db',
  ])
    it(`is refused: ${url}`, () => assert.equal(isDatabaseUrl(url), false));
});
