import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Scope, scopes } from '../api/scopes.ts';
import { getBrand } from '../brands/brand-service.ts';
import { brandIdFromPath } from '../brands/brand-wire.ts';
import { clientDomains } from './client-domains.ts';
import { type InternalAdmissionDeps, internalAdmission } from './internal-admission.ts';
import { type RegistrationOptions, registerOperations } from './register-operations.ts';
import type { Services } from './services.ts';

const readScopes: ReadonlySet<Scope> = new Set(scopes.filter((scope) => scope.endsWith(':read')));

type Options = Pick<RegistrationOptions<Services>, 'context' | 'metrics' | 'bodies' | 'responses'>;

/**
 * Adds every GET operation of the client API, except the status of a key, below `/internal/v1/brands/:id/catalog` and
 * `/analytics`: the same handlers, as if a key of the brand with all read scopes called them, without rate limits [internal-127]
 * [D164].
 */
export function addBrandReads(app: FastifyInstance, options: Options, deps: InternalAdmissionDeps): void {
  const admitCaller = internalAdmission({ access: 'brand' }, deps);
  const admit = () => async (request: FastifyRequest, reply: FastifyReply) => {
    await admitCaller(request, reply);
    const params = request.params as Record<string, string>;
    const { id: brandId } = await getBrand(deps.context.database, brandIdFromPath(params['id'] as string));
    // The operation's parameters, as on the client listener: they are part of the entity tag.
    delete params['id'];
    const actor = request.internalCaller?.actor ?? '';
    const asKey = { keyId: actor, keyName: null, lineageId: 0, expiresAt: null };
    request.caller = { ...asKey, brandId, scopes: readScopes };
  };
  for (const { domain, operations, head } of clientDomains) {
    const reads = operations.filter(({ method, path }) => method === 'GET' && path !== '/status');
    registerOperations(app, reads, { prefix: `/internal/v1/brands/:id/${domain}`, ...options, head, admit });
  }
}
