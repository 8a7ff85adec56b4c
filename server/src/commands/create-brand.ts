import type { TSchema } from 'typebox';
import { createApiKey } from '../access/api-keys/api-key-service.ts';
import { apiKeyRequestFromWire, CreateApiKeyBody } from '../access/api-keys/api-key-wire.ts';
import { type Scope, scopes } from '../api/access.ts';
import { createBrand, getBrand } from '../brands/brand-operations.ts';
import { brandIdFromPath, CreateBrandBody, settingsFromWire } from '../brands/brand-wire.ts';
import { ApiError } from '../errors/api-error.ts';
import { createValidatorCompiler } from '../http/validation/validator.ts';
import { systemClock } from '../lib/clock.ts';
import { Closing } from '../lib/closing.ts';
import type { Database } from '../postgres/database.ts';
import { serverInitiator } from '../postgres/transaction.ts';
import { StartError } from '../serve/lifetime.ts';
import { connect, openMainAsItIs } from '../serve/open-installation.ts';
import type { CommandContext } from './command.ts';

/** Creates a brand and prints its id [D114]. @throws ApiError, StartError on an invalid argument */
export async function createBrandByCommand(
  context: CommandContext,
  name: string,
  { currency, language }: { readonly currency?: string; readonly language?: string },
): Promise<number> {
  const settings = {
    ...(currency !== undefined && { currency }),
    ...(language !== undefined && { default_language: language }),
  };
  const body = checkedBody(CreateBrandBody, { name, settings });
  const { id } = await onMainDatabase(context, (database) =>
    database.auditedTransaction(serverInitiator('brandport brands create'), (tx) =>
      createBrand(tx, { name: body.name, settings: settingsFromWire(body.settings) }),
    ),
  );
  context.write(`${id}\n`);
  context.tell(
    `Brand ${id} was created. A key for it: npx brandport keys create --database --brand ${id} --scopes all --name PIM\n`,
  );
  return 0;
}

interface KeyArguments {
  readonly brand: string;
  /** Comma-separated, or `all`. */
  readonly scopes: string;
  readonly name: string;
  readonly expires?: string;
}

/** Issues a key and prints it, for the only time. @throws ApiError, StartError on an invalid argument */
export async function createKeyByCommand(context: CommandContext, args: KeyArguments): Promise<number> {
  context.requireReader();
  const body = checkedBody(CreateApiKeyBody, {
    name: args.name,
    scopes: scopesOf(args.scopes),
    ...(args.expires !== undefined && { expires_at: args.expires }),
  });
  const { plaintext, brandName, keyId } = await onMainDatabase(context, (database) =>
    database.auditedTransaction(serverInitiator('brandport keys create'), async (tx) => {
      try {
        const brandId = brandIdFromPath(args.brand);
        const { name } = await getBrand(tx, brandId);
        const issued = await createApiKey(tx, systemClock, apiKeyRequestFromWire(brandId, body));
        return { plaintext: issued.plaintext, brandName: name, keyId: issued.key.keyId };
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
        throw new StartError(`There is no brand ${args.brand}.`);
      }
    }),
  );
  context.write(`${plaintext}\n`);
  await context.flushSecret(
    `The key ${keyId} was issued, and nobody has its secret: revoke it with \`brandport keys revoke ${keyId}\`, and create another.`,
  );
  context.tell(`A key of brand ${args.brand} (${brandName}). It is not stored and cannot be shown again.\n`);
  return 0;
}

async function onMainDatabase<T>(
  { config, log }: CommandContext,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  await using closing = new Closing();
  const { address } = closing.adopt(await openMainAsItIs(config, log), (main) => main.stop());
  const applicationName = 'brandport-command';
  return await work(connect({ address, applicationName, poolSize: 2, readPoolSize: 2 }, closing));
}

/** Checks a body as its operation does. @throws ApiError `validation_failed` */
function checkedBody<Body extends object>(schema: TSchema, body: Body): Body {
  const check = createValidatorCompiler()({ schema, method: 'POST', url: '/', httpPart: 'body' });
  const { error } = check(body) as { error?: ApiError };
  if (error !== undefined) throw error;
  return body;
}

/** @throws StartError that lists all scopes, if one is unknown */
function scopesOf(text: string): Scope[] {
  if (text === 'all') return [...scopes];
  return text.split(',').map((part) => {
    const scope = scopes.find((one) => one === part.trim());
    if (scope !== undefined) return scope;
    throw new StartError(`There is no scope "${part.trim()}". Scopes: all, ${scopes.join(', ')}.`);
  });
}
