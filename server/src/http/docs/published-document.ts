import { readFileSync } from 'node:fs';

const serverDir = new URL('../../../', import.meta.url);

/**
 * Reads a document as it is served: the generated file, which `npm run check` compares with the operations. Building it takes
 * half a second of processor time.
 */
export function readPublishedDocument(name: 'openapi.json' | 'openapi-internal.json'): string {
  return readFileSync(new URL(name, serverDir), 'utf8');
}
