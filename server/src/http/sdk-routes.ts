import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../errors/api-error.ts';
import { parseTagList } from '../lib/entity-tags.ts';
import { escapeHtml } from './html.ts';
import { guidePolicy, withFixedType, withPageHeaders } from './page-headers.ts';
import type { BeforeRefusal } from './protocol-faults.ts';
import { rootUrl } from './proxies.ts';
import { publicRoutes } from './public-routes.ts';

interface PackedFile {
  readonly file: string;
  readonly package: string;
  readonly version: string;
  readonly bytes: number;
  /** The hash that a lock file of npm has. */
  readonly integrity: string;
}

const tarball = /^brandport-(client|cli|server)-(\d+\.\d+\.\d+[\w.-]*)\.tgz$/;
/** Each needs those before it, if it needs any. */
const order = ['client', 'cli', 'server'];

/** Describes the tarballs of a folder, the SDK first, then the command line; none if the folder does not exist. */
async function findPackedFiles(dir: string): Promise<PackedFile[]> {
  const found: { rank: number; packed: PackedFile }[] = [];
  for (const file of await readdir(dir).catch(() => [])) {
    const [, name, version] = tarball.exec(file) ?? [];
    if (name === undefined || version === undefined) continue;
    const content = await readFile(join(dir, file));
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    const packed = { file, package: `@brandport/${name}`, version, bytes: content.length, integrity };
    found.push({ rank: order.indexOf(name), packed });
  }
  return found.sort((a, b) => a.rank - b.rank).map(({ packed }) => packed);
}

interface SdkOptions {
  /** Prepended to `/sdk`. */
  readonly prefix: string;
  /** Counts a request for a file that does not exist against the client address. */
  readonly admit: BeforeRefusal;
}

const pythonClient = 'brandport_pull.py';
const python = fileURLToPath(new URL(`../../../connectors/python/${pythonClient}`, import.meta.url));

const tarballs = fileURLToPath(new URL('../../../client/tarballs/', import.meta.url));

/**
 * Serves the tarballs of the SDK, the command line and the server of this version, and the Python client of analytics, at
 * `/sdk/`, with a page or, by `Accept`, a list of the tarballs, without a key [D279]. They are read once to describe them.
 */
export function addSdk(app: FastifyInstance, { prefix, admit }: SdkOptions): void {
  const get = publicRoutes(app, `${prefix}/sdk`);
  let files: readonly PackedFile[] = [];
  const read = async () => {
    if (files.length === 0) files = await findPackedFiles(tarballs);
    return files;
  };
  // Relative, so that it works behind a proxy that adds a prefix.
  get('', (_request, reply) => reply.redirect('sdk/', 301));
  get('/', async (request, reply) => {
    const packed = await read();
    reply.header('vary', 'accept');
    if (request.headers.accept?.includes('application/json') === true) {
      return withFixedType(reply)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify({ packages: packed }));
    }
    const address = `${rootUrl(request.origin)}${prefix}/sdk/`;
    return withPageHeaders(reply, guidePolicy)
      .type('text/html; charset=utf-8')
      .send(sdkPage(packed, address));
  });
  get('/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    if (file === pythonClient)
      return withFixedType(reply)
        .type('text/x-python; charset=utf-8')
        .send(await readFile(python, 'utf8'));
    const found = (await read()).find((each) => each.file === file);
    if (found === undefined) {
      await admit(request, reply);
      throw notFound();
    }
    const tag = `"${found.integrity}"`;
    withFixedType(reply).header('etag', tag).header('cache-control', 'public, max-age=3600');
    const known = parseTagList(request.headers['if-none-match']);
    if (known === '*' || known?.includes(tag) === true) return reply.code(304).send();
    reply.type('application/gzip').header('content-length', found.bytes);
    return reply.send(createReadStream(join(tarballs, found.file)));
  });
}

/** Returns the page of the tarballs. @param address that of the page, which the commands repeat */
function sdkPage(files: readonly PackedFile[], address: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Packages - Brandport</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../docs/guides/guides.css">
</head>
<body>
<main>
<h1>Packages</h1>
${files.length === 0 ? missing : commands(files, address)}
<p><a href="../docs/guides/integrators-day-in-code">An integrator's day, in code</a>,
<a href="../docs/guides/command-line">Command line</a></p>
</main>
</body>
</html>
`;
}

const missing = `<p>This installation has not packed them. Run this in the directory of Brandport:</p>
<pre><code>npm ci --include=dev</code></pre>`;

const withoutServer = `
<p>This server was installed from its own package, <code>@brandport/server</code>, and does not have it to offer: take the file from where this
server got it, such as the page <code>/sdk/</code> of another Brandport, or use the directory in which this server is installed.</p>`;

const uses: Readonly<Record<string, string>> = {
  '@brandport/client': 'The SDK, for Node 20.19 and later:',
  '@brandport/cli': 'With the command line, for Node 20.19 and later:',
  '@brandport/server': 'With the server, for Node 22.13 and later:',
};

function commands(files: readonly PackedFile[], address: string): string {
  const urls = files.map(({ file }) => escapeHtml(address + file));
  const installs = files.map(
    ({ package: name }, last) =>
      `<p>${uses[name]}</p>\n<pre><code>npm install ${urls.slice(0, last + 1).join(' ')}</code></pre>`,
  );
  const rows = files.map(
    ({ file, package: name, version, bytes }) =>
      `<tr><td>${name}</td><td>${version}</td><td><a href="${file}">${file}</a></td><td>${Math.ceil(bytes / 1024)} KB</td></tr>`,
  );
  const hasServer = files.some(({ package: name }) => name === '@brandport/server');
  return `<p>The tarballs of this version.</p>
${installs.join('\n')}${hasServer ? '' : withoutServer}
<div class="table"><table><thead><tr><th>package</th><th>version</th><th>file</th><th>size</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
<p><a href="${pythonClient}">${pythonClient}</a> pulls analytics with Python's standard library alone, see
<a href="../docs/guides/analytics-bi">Analytics for BI</a>.</p>`;
}
