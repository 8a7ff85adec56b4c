import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { RateLimits } from '../access/rate-limits/rate-limits.ts';
import type { ServiceContext } from '../api/operation.ts';
import { notFound } from '../errors/api-error.ts';
import type { Metrics } from './metrics.ts';
import { sendMissing, withPageHeaders } from './page-headers.ts';
import { publicRoutes } from './public-routes.ts';

export interface BrowserSignInDeps {
  readonly context: Pick<ServiceContext, 'database' | 'clock'>;
  readonly rateLimits: RateLimits;
  readonly metrics: Metrics;
  /** True if browsers may sign in over plain http from other machines. */
  readonly consoleAllowsHttp: boolean;
}

/** A way to sign in to the console without a token, which an extension adds [D285]. */
export interface BrowserSignIn {
  /** The identity provider, for `getSignInMethods`. */
  readonly issuer: string;
  /** Adds the addresses below `/console/` that a browser visits during a sign-in. */
  addTo(app: FastifyInstance, deps: BrowserSignInDeps): void;
}

/** Everything comes from this origin, nothing is inline, and no string becomes markup or code. */
const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** A name that the build gives to a file; no other can be in the folder. */
const fileName = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/**
 * Serves the built console from `/console/`, without authentication. The files below `assets` have names that change with their
 * bytes and are cached permanently. Any other path is a place in the console and gets the page. `dir`: the folder of the build;
 * without it, the page says how to make one.
 */
export function addConsole(app: FastifyInstance, dir: string): void {
  void app.register(fastifyStatic, { serve: false, preCompressed: true, cacheControl: false });
  const get = publicRoutes(app, '/console');
  // Relative, so that it works behind a proxy that adds a prefix.
  get('', async (_request, reply) => reply.redirect('console/', 301));
  get('/', async (_request, reply) => sendPage(reply, dir));
  get('/assets/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    if (!(await hasFile(join(dir, 'assets'), file))) throw notFound();
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return secure(reply).sendFile(file, join(dir, 'assets'));
  });
  get('/*', async (request, reply) => {
    const path = (request.params as { '*': string })['*'];
    // The build puts an icon and the like next to the page.
    if (await hasFile(dir, path)) return secure(reply).sendFile(path, dir);
    return sendPage(reply, dir);
  });
}

async function sendPage(reply: FastifyReply, dir: string): Promise<FastifyReply> {
  secure(reply);
  return (await hasFile(dir, 'index.html'))
    ? reply.sendFile('index.html', dir)
    : sendMissing(reply, 'console');
}

function secure(reply: FastifyReply): FastifyReply {
  return withPageHeaders(reply, consolePolicy)
    .header('vary', 'accept-encoding')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin');
}

async function hasFile(dir: string, name: string): Promise<boolean> {
  if (!fileName.test(name)) return false;
  try {
    return (await stat(join(dir, name))).isFile();
  } catch {
    return false;
  }
}
