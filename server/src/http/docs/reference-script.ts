import scalarReference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import { sha256 } from '../../lib/sha256.ts';
import { KeptBody } from './kept-body.ts';

/** The script that renders the reference: 4 MB, self-contained. */
export interface ReferenceScript {
  readonly body: KeptBody;
  /** Changes when the bytes change. */
  readonly version: string;
}

/**
 * Extracts the script from Scalar's package, which exposes it only through a Fastify plug-in. `reference.ts`
 * serves it: the package's own routes support neither HEAD nor caching nor a policy without inline scripts,
 * and derive a redirect from the Host header.
 */
export async function loadReferenceScript(): Promise<ReferenceScript> {
  const app = Fastify();
  await app.register(scalarReference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { statusCode, rawPayload: plain } = await app.inject('/docs/js/scalar.js');
  await app.close();
  if (statusCode !== 200 || plain.length === 0)
    throw new Error('Scalar serves its script from a different path now.');
  const version = sha256(plain).toString('hex').slice(0, 16);
  return { body: new KeptBody(plain), version };
}
