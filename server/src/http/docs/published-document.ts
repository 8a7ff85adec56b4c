import { readFileSync } from 'node:fs';

const serverDir = new URL('../../../', import.meta.url);

/** Reads the generated document, which `npm run check` compares with the operations. Building it takes half a second. */
export function readPublishedDocument(name: 'openapi.json' | 'openapi-internal.json'): string {
  return readFileSync(new URL(name, serverDir), 'utf8');
}
