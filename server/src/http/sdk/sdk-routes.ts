import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { notFound } from '../../errors/api-error.ts';
import { parseTagList } from '../../lib/tag-list.ts';
import { guidePolicy } from '../guides/guide-page.ts';
import type { BeforeRefusal } from '../protocol-guard.ts';
import { publicRoutes } from '../public-routes.ts';
import { type PackedFile, readPackedFiles } from './packed-files.ts';
import { sdkPage } from './sdk-page.ts';

interface SdkOptions {
  /** Prepended to `/sdk`. */
  readonly prefix: string;
  /** Counts a request for a file that does not exist against the client address. */
  readonly admit: BeforeRefusal;
}

const tarballs = fileURLToPath(new URL('../../../../client/tarballs/', import.meta.url));

/**
 * Serves the tarballs of the SDK and the command line of this version at `/sdk/`, with a page or, by `Accept`, a list, without a
 * key [D279]. They are read once and kept in memory: 180 KB.
 */
export function addSdk(app: FastifyInstance, { prefix, admit }: SdkOptions): void {
  const get = publicRoutes(app, `${prefix}/sdk`);
  let files: readonly PackedFile[] = [];
  const read = async () => {
    if (files.length === 0) files = await readPackedFiles(tarballs);
    return files;
  };
  // Relative, so that it works behind a proxy that adds a prefix.
  get('', (_request, reply) => reply.redirect('sdk/', 301));
  get('/', async (request, reply) => {
    const packed = await read();
    secure(reply).header('vary', 'accept').header('referrer-policy', 'no-referrer');
    if (request.headers.accept?.includes('application/json') === true) {
      const packages = packed.map(({ bytes, ...file }) => ({ ...file, bytes: bytes.length }));
      return reply.type('application/json; charset=utf-8').send(JSON.stringify({ packages }));
    }
    const { base, pathPrefix } = request.origin;
    const address = `${base ?? `http://${request.host}`}${pathPrefix}${prefix}/sdk/`;
    return reply
      .header('content-security-policy', guidePolicy)
      .type('text/html; charset=utf-8')
      .send(sdkPage(packed, address));
  });
  get('/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    const found = (await read()).find((each) => each.file === file);
    if (found === undefined) {
      await admit(request, reply);
      throw notFound();
    }
    const tag = `"${found.integrity}"`;
    secure(reply).header('etag', tag).header('cache-control', 'public, max-age=3600');
    const known = parseTagList(request.headers['if-none-match']);
    if (known === '*' || known?.includes(tag) === true) return reply.code(304).send();
    return reply.type('application/gzip').send(found.bytes);
  });
}

function secure(reply: FastifyReply): FastifyReply {
  return reply.header('x-content-type-options', 'nosniff');
}
