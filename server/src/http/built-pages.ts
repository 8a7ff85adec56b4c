import { readFile, stat } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseTagList } from '../lib/entity-tags.ts';
import { sha256 } from '../lib/secrets.ts';
import { type Coding, chooseCoding, sendCompressed } from './compression.ts';
import { guidePolicy, sendMissing, withFixedType, withPageHeaders } from './page-headers.ts';
import { localRoot } from './proxies.ts';
import { publicRoutes } from './public-routes.ts';

/** What `pages.json` says of a file, which `server/scripts/prepare-pages.ts` writes [D350]. */
export interface BuiltFile {
  /** Its content type. */
  readonly type: string;
  /** Changes when the bytes change. */
  readonly tag: string;
  /** The value of `v` under which browsers keep it for good; null for what changes with each release. */
  readonly version: string | null;
  /** True if it names the address of a local server, which is replaced by the one that the client calls. */
  readonly namesRoot: boolean;
  /** Whether `<file>.br` and `<file>.gz` are next to it. */
  readonly isCompressed: boolean;
}

/** The files of all pages, by their paths below the folder. */
export type BuiltFiles = Readonly<Record<string, BuiltFile>>;

/** `Cache-Control` of what never changes under its address. */
export const keptForGood = 'public, max-age=31536000, immutable';

const builtFolder = new URL('../../dist/pages/', import.meta.url);
const suffixes: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' };

/** A file that npm's `prepare` made. It is read on first use. */
class BuiltPage {
  readonly #url: URL;
  readonly #file: BuiltFile;
  readonly #read = new Map<string, Promise<Buffer>>();

  constructor(url: URL, file: BuiltFile) {
    this.#url = url;
    this.#file = file;
  }

  /** @throws Error if the file cannot be read; the next call tries again */
  async text(): Promise<string> {
    return (await this.#bytes()).toString();
  }

  /**
   * Sends a page of the guides with its entity tag, which also holds for compressed bodies.
   * @param root replaces the address of a local server; such a page is made for each request, and not kept
   */
  async sendTagged(request: FastifyRequest, reply: FastifyReply, root = localRoot): Promise<FastifyReply> {
    const other =
      this.#file.namesRoot && root !== localRoot ? (await this.text()).replaceAll(localRoot, root) : null;
    const { coding } = chooseCoding(request.headers['accept-encoding']);
    const tag = `"${other === null ? this.#file.tag : tagOf(other)}"`;
    withPageHeaders(reply, guidePolicy).header('etag', coding === null ? tag : `W/${tag}`);
    this.#letKeep(request, reply);
    const known = parseTagList(request.headers['if-none-match']);
    if (known === '*' || known?.includes(tag) === true) return reply.code(304).send();
    return other === null ? this.send(request, reply) : reply.type(this.#file.type).send(other);
  }

  /** Sends the file in the coding that the client prefers. Browsers keep it only under the address that identifies its bytes. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { type, isCompressed } = this.#file;
    this.#letKeep(request, reply);
    withFixedType(reply).type(type);
    const coding = isCompressed ? chooseCoding(request.headers['accept-encoding']).coding : null;
    if (coding === null) return reply.send(await this.#bytes());
    return sendCompressed(reply, coding, await this.#bytes(suffixes[coding]));
  }

  #letKeep({ query }: FastifyRequest, reply: FastifyReply): void {
    const { version } = this.#file;
    if (version !== null && (query as { v?: unknown }).v === version)
      reply.header('cache-control', keptForGood);
  }

  #bytes(suffix = ''): Promise<Buffer> {
    const bytes = this.#read.get(suffix) ?? readFile(new URL(this.#url.href + suffix));
    this.#read.set(suffix, bytes);
    bytes.catch(() => this.#read.delete(suffix));
    return bytes;
  }
}

/** Returns the tag of a body, without quotes. */
export function tagOf(bytes: Buffer | string): string {
  return sha256(bytes).toString('base64url').slice(0, 22);
}

/** The pages of one run of `prepare`. */
export class BuiltPages {
  readonly #pages: ReadonlyMap<string, BuiltPage>;

  constructor(folder: URL, files: BuiltFiles) {
    const pages = Object.entries(files).map(([path, file]): [string, BuiltPage] => [
      path,
      new BuiltPage(new URL(path, folder), file),
    ]);
    this.#pages = new Map(pages);
  }

  find(path: string): BuiltPage | undefined {
    return this.#pages.get(path);
  }

  /** @throws Error if `prepare` has not made it */
  get(path: string): BuiltPage {
    const page = this.#pages.get(path);
    if (page === undefined) throw new Error(`dist/pages has no ${path}`);
    return page;
  }
}

/** The newest pages of each folder, for both listeners. */
const newest = new Map<string, { readonly modifiedMs: number; readonly pages: BuiltPages }>();

/** Returns the pages of a folder, also those of a later `prepare`; null if there are none, as after `npm ci --omit=dev`. */
async function findBuiltPages(folder: URL): Promise<BuiltPages | null> {
  const list = new URL('pages.json', folder);
  try {
    const { mtimeMs } = await stat(list);
    const known = newest.get(folder.href);
    if (known?.modifiedMs === mtimeMs) return known.pages;
    const pages = new BuiltPages(folder, JSON.parse(await readFile(list, 'utf8')) as BuiltFiles);
    newest.set(folder.href, { modifiedMs: mtimeMs, pages });
    return pages;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

type Handler = (
  pages: BuiltPages,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

/** Returns a function that adds pages that need no key. Without built pages, they are 503 and say how to build them. */
export function builtRoutes(app: FastifyInstance, prefix: string, folder = builtFolder) {
  const get = publicRoutes(app, prefix);
  return (path: string, handler: Handler): void =>
    get(path, async (request, reply) => {
      const pages = await findBuiltPages(folder);
      if (pages !== null) return handler(pages, request, reply);
      return sendMissing(withPageHeaders(reply, guidePolicy), 'documentation');
    });
}
