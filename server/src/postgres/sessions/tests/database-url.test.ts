import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDatabaseUrl } from '../database-url.ts';

const two = [
  { host: 'a', port: 5433 },
  { host: 'b', port: 5432 },
];

// [D186]
describe('a DATABASE_URL', () => {
  for (const url of [
    'postgresql://u:p@db.example:5433/brandport?sslmode=verify-full',
    'postgres://u@localhost/brandport?host=%2Fvar%2Frun&port=5433',
    'postgres://u:p%40q@%2Fvar%2Frun:5432/brandport',
    'postgres://u@db/brandport?target_session_attrs=read-write',
    'postgres:///brandport?host=/var/run/postgresql',
  ])
    it(`with one server is left to the driver: ${url}`, () =>
      assert.deepEqual(parseDatabaseUrl(url), { hosts: [], url }));

  for (const [url, hosts, without] of [
    ['postgresql://u:p@a:5433,b/db', two, 'postgresql://u:p@a:5433/db'],
    [
      'postgresql://u:p@a:5433,b/db?target_session_attrs=read-write&sslmode=require',
      two,
      'postgresql://u:p@a:5433/db?sslmode=require',
    ],
    ['postgresql://u:p@ignored/db?host=a,b&port=5433,5432', two, 'postgresql://u:p@ignored/db'],
    [
      'postgres://u@[::1]:5433,[::2]/db?target_session_attrs=primary',
      [
        { host: '::1', port: 5433 },
        { host: '::2', port: 5432 },
      ],
      'postgres://u@[::1]:5433/db',
    ],
  ] as const)
    it(`with several servers lists them: ${url}`, () =>
      assert.deepEqual(parseDatabaseUrl(url), { hosts, url: without }));

  for (const url of [
    'mysql://a/db',
    'postgres',
    'postgresql://u:p@a:5432,/db',
    'postgresql://u:p@a:99999,b/db',
    'postgresql://u:p@a:x,b/db',
    'postgresql://u:%zz@a,b/db',
    'postgresql://u:p@a,b/db?target_session_attrs=standby',
    'postgresql://u:p@a/db?target_session_attrs=read-only',
    'postgresql://u:p@x/db?host=a,b,c&port=1,2',
  ])
    it(`is refused: ${url}`, () => assert.equal(parseDatabaseUrl(url), null));
});
