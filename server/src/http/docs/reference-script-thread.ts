import { parentPort } from 'node:worker_threads';
import scalarReference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

// The thread behind `loadReferenceScript`: reads the script, transfers it, and exits.

const app = Fastify();
await app.register(scalarReference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js');
await app.close();
if (statusCode !== 200 || rawPayload.length === 0)
  throw new Error('Scalar serves its script from a different path now.');
const script = new Uint8Array(rawPayload);
parentPort?.postMessage(script, [script.buffer]);
