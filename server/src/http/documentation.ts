import type { FastifyInstance } from 'fastify';
import { addReference, readPublishedDocument } from './docs/reference.ts';
import { addGuides, type GuideOptions } from './guides/guide-routes.ts';
import { addSdk } from './sdk-routes.ts';

/** Adds the document of a listener, its reference, the guides with their search, and the SDK. */
export function addDocumentation(app: FastifyInstance, options: Omit<GuideOptions, 'prefix'>): void {
  const isClient = options.listener === 'client';
  const prefix = isClient ? '' : '/internal';
  const text = readPublishedDocument(isClient ? 'openapi.json' : 'openapi-internal.json');
  addReference(app, { text, listener: options.listener, prefix });
  addGuides(app, { prefix, ...options });
  addSdk(app, { prefix, admit: options.admit });
}
