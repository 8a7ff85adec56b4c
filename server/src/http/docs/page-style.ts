import { readFileSync } from 'node:fs';

/** The rules that the reference, the guides and the search share, in front of those of each. Read when this module is loaded. */
export const pageStyle = readFileSync(new URL('./page.css', import.meta.url), 'utf8');
