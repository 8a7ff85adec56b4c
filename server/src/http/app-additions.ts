import type { FastifyInstance } from 'fastify';
import type { Operation } from '../api/operation.ts';
import type { Listener } from './metrics.ts';
import type { InternalServices } from './services.ts';

/** The additions of an extension to the apps of the server that it starts. */
export interface AppAdditions {
  /** Adds hooks to an app: they run after those that read the request, and before admission and the routes. */
  readonly extend?: (app: FastifyInstance, listener: Listener) => void;
  /** Further operations below `/internal/v1`. The reference does not list them. */
  readonly internalOperations?: readonly Operation<InternalServices>[];
}
