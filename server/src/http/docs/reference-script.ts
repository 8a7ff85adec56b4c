import scalarReference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import { sha256 } from '../../lib/sha256.ts';
import { KeptBody } from './kept-body.ts';

/** The program that draws the reference: 4 MB, everything it needs included. */
export interface ReferenceScript {
  readonly body: KeptBody;
  /** Changes when the bytes do. */
  readonly version: string;
}

/**
 * Takes the script out of Scalar's package, which gives it to nobody but a Fastify app. Serving it is done by
 * `reference.ts`: the package's own routes know no HEAD, no caching and no policy without inline scripts, and derive a
 * redirect from the Host header.
 */
export async function loadReferenceScript(): Promise<ReferenceScript> {
  const app = Fastify();
  await app.register(scalarReference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { statusCode, rawPayload: plain } = await app.inject('/docs/js/scalar.js');
  await app.close();
  if (statusCode !== 200 || plain.length === 0)
    throw new Error('Scalar serves its script somewhere else now.');
  const version = sha256(plain).toString('hex').slice(0, 16);
  return { body: new KeptBody(plain), version };
}
