import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';
import { notFound } from '../../errors/api-error.ts';
import { sha256 } from '../../lib/secrets.ts';
import { KeptBody } from '../compression.ts';
import { escapeHtml } from '../html.ts';
import { withFixedType, withPageHeaders } from '../page-headers.ts';
import { publicRoutes } from '../public-routes.ts';

const serverDir = new URL('../../../', import.meta.url);

/** Reads the generated document, which `npm run check` compares with the operations. Building it takes half a second. */
export function readPublishedDocument(name: 'openapi.json' | 'openapi-internal.json'): string {
  return readFileSync(new URL(name, serverDir), 'utf8');
}

/**
 * Restricts the page to files and requests of this origin [D288]. Only this page allows styles inside of it: the library sets
 * the positions of its menus and the colours of its samples that way. No script inside of the page is allowed.
 */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the introduction of a document as HTML. It is shown until the library, which takes seconds, has drawn the page. */
function introductionOf(document: string): string {
  const { info } = JSON.parse(document) as { info: { title: string; description: string } };
  const marked = new Marked({ gfm: true });
  marked.use({ renderer: { html: ({ text }) => escapeHtml(text) } });
  return `<h1>${escapeHtml(info.title)}</h1>\n${marked.parse(info.description, { async: false })}`;
}

interface PageOptions {
  /** The relative path from the page's folder to the folder that the API's paths begin in. */
  readonly root: string;
  /** Changes with the bytes of the files; null without the library. */
  readonly version: string | null;
  /** The HTML that is shown until the library has drawn the page. */
  readonly introduction: string;
}

/** Returns the page that the library fills. */
function referencePage({ root, version, introduction }: PageOptions): string {
  const toConsole = root === '../' ? '' : ` <a href="${root}console/">Console</a>`;
  const files =
    version === null
      ? ''
      : `<link rel="stylesheet" href="look.css?v=${version}">
<link rel="modulepreload" href="scalar.js?v=${version}">
<script src="init.js?v=${version}" type="module"></script>
`;
  const main =
    version === null
      ? `<p>The reference is not built. Run this in the directory of Brandport, then restart it:</p>
<pre>npm ci --include=dev</pre>
${alternatives}`
      : `<noscript><p>This page needs JavaScript.</p>
${alternatives}</noscript>
<div id="reference"></div>
<main class="introduction">
${introduction}</main>`;
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Brandport API reference</title>
<link rel="icon" href="data:,">
${files}</head>
<body>
<nav class="top" aria-label="Documentation"><strong>Brandport</strong> <a href="guides/">Guides</a> <a href="search">Search</a> <a href="../openapi.json">OpenAPI</a>${toConsole}</nav>
${main}
</body>
</html>
`;
}

const alternatives = `<p>The same is in the <a href="../openapi.json">OpenAPI document</a>. The <a href="guides/">guides</a> need no script, and
<a href="../llms.txt">llms.txt</a> lists all of them as Markdown.</p>
`;

interface ReferenceFiles {
  readonly byName: ReadonlyMap<string, { readonly type: string; readonly body: KeptBody }>;
  /** Changes when the bytes of one of the files change. */
  readonly version: string;
}

const own = new URL('./reference/', import.meta.url);
const built = new URL('../../../dist/reference/', import.meta.url);

const files = [
  { name: 'scalar.js', folder: built, type: 'text/javascript; charset=utf-8' },
  { name: 'init.js', folder: own, type: 'text/javascript; charset=utf-8' },
  { name: 'look.css', folder: own, type: 'text/css; charset=utf-8' },
] as const;

/** The font of the console. The style sheets of reference and guides name it with the version of its package. */
const font = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
const forever = 'public, max-age=31536000, immutable';

interface ReferenceOptions {
  readonly text: string;
  readonly prefix: string;
}

/**
 * Serves the document and, at `/docs`, the reference that a library draws from it in the browser [D288], without a key. Document
 * and page are never cached, since every release changes them; the files are, since their URLs change with their bytes.
 */
export function addReference(app: FastifyInstance, { text, prefix }: ReferenceOptions): void {
  const json = new KeptBody(text);
  const get = publicRoutes(app, prefix);
  get('/openapi.json', (request, reply) => {
    reply.type('application/json; charset=utf-8');
    const { base, pathPrefix } = request.origin;
    // An empty string where no proxy says anything [platform-83].
    const server = `${base ?? ''}${pathPrefix}`;
    if (server === '') return json.send(request, reply);
    return reply.send(text.replace('"url": "/"', () => `"url": ${JSON.stringify(server)}`));
  });
  // Relative, so that it works behind a proxy that adds a prefix.
  get('/docs', (_request, reply) => reply.redirect('docs/', 301));
  const introduction = introductionOf(text);
  const root = `..${prefix.replaceAll(/\/[^/]+/g, '/..')}/`;
  get('/docs/', async (_request, reply) => {
    const version = (await loadReferenceFiles())?.version ?? null;
    return withPageHeaders(reply, referencePolicy)
      .code(version === null ? 503 : 200)
      .type('text/html; charset=utf-8')
      .send(referencePage({ root, version, introduction }));
  });
  for (const { name } of files)
    get(`/docs/${name}`, async (request, reply) => {
      const files = await loadReferenceFiles();
      const file = files?.byName.get(name);
      if (file === undefined) throw notFound();
      // Cached only under the URL that identifies these bytes.
      if ((request.query as { v?: unknown }).v === files?.version) reply.header('cache-control', forever);
      return file.body.send(request, withFixedType(reply).type(file.type));
    });
  get('/docs/inter-5.3.0.woff2', async (_request, reply) => {
    withFixedType(reply).header('cache-control', forever);
    return reply.type('font/woff2').send(await readFile(new URL(font)));
  });
}

let loaded: Promise<ReferenceFiles | null> | undefined;

/**
 * Reads the files of the reference when the first reader asks for them, and keeps them for both listeners.
 * @returns null without the library's script, as after `npm ci --omit=dev`
 */
function loadReferenceFiles(): Promise<ReferenceFiles | null> {
  loaded ??= read().catch((error: NodeJS.ErrnoException) => {
    loaded = undefined;
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return loaded;
}

async function read(): Promise<ReferenceFiles> {
  const bytes = await Promise.all(files.map(({ name, folder }) => readFile(new URL(name, folder))));
  return {
    byName: new Map(
      files.map(({ name, type }, n) => [name, { type, body: new KeptBody(bytes[n] as Buffer) }]),
    ),
    version: sha256(Buffer.concat(bytes)).toString('hex').slice(0, 16),
  };
}
