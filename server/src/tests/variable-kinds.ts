import type { Config } from '../config.ts';

/** Values of a variable that are accepted, with what is read of each, and values that are refused. */
export interface Variable {
  readonly read: (config: Config) => unknown;
  readonly good: readonly (readonly [string, unknown])[];
  readonly bad: readonly string[];
}

export const port = (read: Variable['read']): Variable => ({
  read,
  good: [
    ['0', 0],
    ['9090', 9090],
    ['65535', 65535],
  ],
  bad: ['65536', '-1', '80.5', '80a', '0x50', ' 80', 'NaN', '99999999999999999999'],
});
export const host = (read: Variable['read']): Variable => ({
  read,
  good: ['0.0.0.0', '::1', 'fe80::1%eth0', 'api.internal'].map((text) => [text, text]),
  bad: ['http://127.0.0.1', '127.0.0.1/24', 'two words', '*'],
});
export const limit = (read: Variable['read']): Variable => ({
  read,
  good: [
    ['0', 0],
    ['1', 1],
    ['1000000000', 1_000_000_000],
  ],
  bad: ['1000000001', '-1', '1e3', '1.5', 'none', 'Infinity'],
});
export const url = (read: Variable['read'], good: readonly string[], bad: readonly string[]): Variable => ({
  read,
  good: good.map((text) => [text, text]),
  bad: [
    'localhost:5432',
    'http://localhost/db',
    'postgres//x',
    'mysql://localhost',
    ' ',
    '/tmp/socket',
    ...bad,
  ],
});
export const postgresUrls = [
  'postgres://u:p@db:5432/brandport',
  'postgresql://u@localhost/brandport?host=/var/run/postgresql',
];

export const badPostgresUrls = [
  'postgres://db:port/brandport',
  'postgres://u:50%zz@db/brandport',
  'postgres://u@db1,db2/brandport',
];
