import { createApiKey } from '../access/api-keys/api-key-service.ts';
import { apiKeyRequestFromWire, CreateApiKeyBody } from '../access/api-keys/api-key-wire.ts';
import { type Scope, scopes } from '../api/scopes.ts';
import { createBrand, getBrand } from '../brands/brand-service.ts';
import { brandIdFromPath, CreateBrandBody, settingsFromWire } from '../brands/brand-wire.ts';
import type { Config } from '../config.ts';
import { ApiError } from '../errors/api-error.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { serverInitiator } from '../postgres/transaction.ts';
import { checkedBody, runOnDatabase } from './run-on-database.ts';
import { StartError } from './start-error.ts';

export interface BrandArguments {
  readonly name: string;
  readonly currency?: string;
  readonly language?: string;
}

/** `brandport brand create` [D114]: creates a brand and returns its id. @throws ApiError, StartError on an invalid argument */
export async function runCreateBrand(
  config: Config,
  log: Log,
  { name, currency, language }: BrandArguments,
): Promise<number> {
  const settings = {
    ...(currency !== undefined && { currency }),
    ...(language !== undefined && { default_language: language }),
  };
  const body = checkedBody(CreateBrandBody, { name, settings });
  return runOnDatabase(config, log, async (database) => {
    const brand = await database.auditedTransaction(serverInitiator('brandport brand create'), (tx) =>
      createBrand(tx, { name: body.name, settings: settingsFromWire(body.settings) }),
    );
    return brand.id;
  });
}

export interface KeyArguments {
  /** The id of the brand. */
  readonly brand: string;
  /** Comma-separated, or `all`. */
  readonly scopes: string;
  readonly name: string;
  readonly expires?: string;
}

export interface CreatedKey {
  readonly apiKey: string;
  readonly brandName: string;
}

/** `brandport key create`: issues a key and returns it, for the only time. @throws ApiError, StartError on an invalid argument */
export async function runCreateKey(config: Config, log: Log, args: KeyArguments): Promise<CreatedKey> {
  const body = checkedBody(CreateApiKeyBody, {
    name: args.name,
    scopes: scopesOf(args.scopes),
    ...(args.expires !== undefined && { expires_at: args.expires }),
  });
  return runOnDatabase(config, log, (database) =>
    database.auditedTransaction(serverInitiator('brandport key create'), async (tx) => {
      try {
        const brandId = brandIdFromPath(args.brand);
        const { name } = await getBrand(tx, brandId);
        const { plaintext } = await createApiKey(tx, systemClock, apiKeyRequestFromWire(brandId, body));
        return { apiKey: plaintext, brandName: name };
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
        throw new StartError(`There is no brand ${args.brand}.`);
      }
    }),
  );
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
