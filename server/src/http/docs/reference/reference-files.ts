import { readFileSync } from 'node:fs';
import { sha256 } from '../../../lib/sha256.ts';
import { KeptBody } from '../kept-body.ts';
import { pageStyle } from '../page-style.ts';

/** The style sheet and the script of the reference, read when this module is loaded. */
const read = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');

const style = pageStyle + read('reference.css');
const script = read('reference.js');

export const referenceFiles = [
  { name: 'reference.css', type: 'text/css; charset=utf-8', body: new KeptBody(style) },
  { name: 'reference.js', type: 'text/javascript; charset=utf-8', body: new KeptBody(script) },
] as const;

/** Changes when the bytes of one of the files change. */
export const referenceVersion = sha256(Buffer.from(style + script))
  .toString('hex')
  .slice(0, 16);
