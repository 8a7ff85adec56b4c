import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { fastify } from 'fastify';
import { withBuildLock } from '../../../console/scripts/build-lock.ts';
import { computeStamp, findStamp, stampFile } from '../../../console/scripts/source-stamp.ts';
import { tagOf } from '../../src/http/built-pages.ts';
import { readPublishedDocument } from '../../src/http/docs/reference.ts';
import { SearchIndex } from '../../src/http/guides/guide-search.ts';
import type { Listener } from '../../src/http/metrics.ts';
import { clientDomains, internalGroups } from '../../src/http/operations.ts';
import { FileWriter } from './file-writer.ts';
import { guideEntries, operationEntries } from './guide-entries.ts';
import { loadGuides, markdownWithLinks } from './guide-library.ts';
import { guidePage, searchTemplate } from './guide-page.ts';
import { llmsFullText, llmsText } from './llms-text.ts';
import { referencePage } from './reference-page.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const dist = join(project, 'server/dist');
const built = join(dist, 'pages');

/** Everything that the pages are made from, relative to the project. */
const sources = [
  'package-lock.json',
  'docs/guides/**/*.md',
  'server/openapi{,-internal}.json',
  'server/scripts/built-pages/**/*',
  'server/src/**/*.ts',
];

/**
 * Builds the guides, their search and the reference in `server/dist/pages`, unless it has those of the same sources [D350]. The
 * previous ones are served until then. Returns whether it has built them. @throws Error if a source cannot be rendered
 */
export async function buildPages(): Promise<boolean> {
  const stamp = await computeStamp(project, sources);
  await mkdir(dist, { recursive: true });
  return withBuildLock(join(dist, 'pages-lock'), async () => {
    if ((await findStamp(built)) === stamp) return false;
    const next = join(dist, `pages-next-${process.pid}`);
    try {
      const writer = new FileWriter(next);
      const versions = await writeFiles(writer);
      for (const listener of ['client', 'internal'] as const) await writePages(writer, listener, versions);
      await writer.writeList();
      await writeFile(join(next, stampFile), `${stamp}\n`);
      await rm(built, { recursive: true, force: true });
      await rename(next, built);
    } finally {
      await rm(next, { recursive: true, force: true });
    }
    return true;
  });
}

interface Versions {
  readonly guides: string;
  readonly reference: string;
}

/** Writes the files that the pages of both listeners load. */
async function writeFiles(writer: FileWriter): Promise<Versions> {
  const own = async (name: string) => readFile(new URL(`./assets/${name}`, import.meta.url));
  const guides = new Map([
    ['guides.css', await own('guides.css')],
    ['guides.js', await own('guides.js')],
  ]);
  const reference = new Map([
    ['scalar.js', await referenceScript()],
    ['init.js', await own('init.js')],
    ['look.css', await own('look.css')],
  ]);
  const write = async (files: ReadonlyMap<string, Buffer>) => {
    const version = tagOf(Buffer.concat([...files.values()])).slice(0, 16);
    for (const [name, bytes] of files) await writer.write(`files/${name}`, bytes, { version });
    return version;
  };
  const font = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
  await writer.write('files/inter-5.3.0.woff2', await readFile(new URL(font)), { isCompressed: false });
  return { guides: await write(guides), reference: await write(reference) };
}

/** Returns the script of the reference, which the package has as a string that only its plugin serves [D288]. */
async function referenceScript(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(plugin, { routePrefix: '/docs', configuration: { content: '{}' } });
  return (await app.inject('/docs/js/scalar.js')).rawPayload;
}

async function writePages(writer: FileWriter, listener: Listener, versions: Versions): Promise<void> {
  const library = await loadGuides(listener);
  const { guides } = library;
  const isClient = listener === 'client';
  const frame = { sections: library.sections, assetVersion: versions.guides, hasConsole: !isClient };
  for (const [slug, guide] of guides) {
    const path = `${listener}/docs/guides/${slug || 'index'}`;
    await writer.write(`${path}.html`, guidePage(guide, frame));
    await writer.write(`${path}.md`, markdownWithLinks(guide.markdown, slug));
  }
  await writer.write(`${listener}/llms.txt`, llmsText(library));
  await writer.write(`${listener}/llms-full.txt`, llmsFullText(library));
  const operations = (isClient ? clientDomains : internalGroups).flatMap((group) =>
    operationEntries(group.prefix, group.operations),
  );
  const entries = Array.from(guides.values()).flatMap(guideEntries);
  const index = SearchIndex.build([...entries, ...operations]);
  const unsent = { isCompressed: false };
  await writer.write(`${listener}/docs/search.json`, JSON.stringify(index), unsent);
  await writer.write(`${listener}/docs/search.html`, searchTemplate(frame), unsent);
  const page = referencePage({
    document: readPublishedDocument(isClient ? 'openapi.json' : 'openapi-internal.json'),
    root: isClient ? '../' : '../../',
    version: versions.reference,
  });
  await writer.write(`${listener}/docs/index.html`, page);
}
