import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../errors/api-error.ts';
import { parseTagList } from '../lib/entity-tags.ts';
import { guidePolicy, withFixedType, withPageHeaders } from './page-headers.ts';
import type { BeforeRefusal } from './protocol-faults.ts';
import { rootUrl } from './proxies.ts';
import { publicRoutes } from './public-routes.ts';

/** A tarball, as the list of `/sdk/` has it. */
export interface PackedFile {
  readonly file: string;
  readonly package: string;
  readonly version: string;
  readonly bytes: number;
  /** The hash that a lock file of npm has. */
  readonly integrity: string;
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
 * `/sdk/`, with a page or, by `Accept`, a list of the tarballs, without a key [D279]. npm's `prepare` has written page and list.
 */
export function addSdk(app: FastifyInstance, { prefix, admit }: SdkOptions): void {
  const get = publicRoutes(app, `${prefix}/sdk`);
  // Relative, so that it works behind a proxy that adds a prefix.
  get('', (_request, reply) => reply.redirect('sdk/', 301));
  get('/', async (request, reply) => {
    reply.header('vary', 'accept');
    if (request.headers.accept?.includes('application/json') === true) {
      return withFixedType(reply)
        .type('application/json; charset=utf-8')
        .send(await readPacked('packages.json', '{"packages":[]}'));
    }
    // `rootUrl` has no character that HTML treats in a special way.
    const address = `${rootUrl(request.origin)}${prefix}/sdk/`;
    const page = await readPacked('index.html', missingPage);
    return withPageHeaders(reply, guidePolicy)
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('{{address}}', address));
  });
  get('/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    if (file === pythonClient)
      return withFixedType(reply)
        .type('text/x-python; charset=utf-8')
        .send(await readFile(python, 'utf8'));
    const found = (await listPacked()).find((each) => each.file === file);
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

async function listPacked(): Promise<readonly PackedFile[]> {
  const text = await readPacked('packages.json', '{"packages":[]}');
  return (JSON.parse(text) as { packages: PackedFile[] }).packages;
}

/** Returns a file next to the tarballs; `otherwise` if they are not packed, as after `npm ci --omit=dev`. */
async function readPacked(name: string, otherwise: string): Promise<string> {
  return readFile(join(tarballs, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  });
}

const missingPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Packages - Brandport</title>
<h1>Packages</h1>
<p>This installation has not packed them. Run this in the directory of Brandport:</p>
<pre>npm ci --include=dev</pre>
</html>
`;
