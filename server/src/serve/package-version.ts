import { readFileSync } from 'node:fs';

/** The version of Brandport, from its package. */
export const packageVersion: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
