import { type Config, ConfigError, loadConfig } from '../../../server/src/config.ts';
import type { RunExtension } from '../../../server/src/serve/extension.ts';
import { createBrand, fillBrand, internalClient } from './first-brand.ts';
import { reportText, reportToWire } from './report/report-wire.ts';
import { createSandbox } from './sandbox.ts';
import { openSandboxDir, type SandboxBrand } from './sandbox-dir.ts';

/** Equal to that of `brandport serve`. */
const stopGraceMs = 6_500;

/** Serves a sandbox until the process is stopped; its data vanish then, unless they are kept. */
export const runSandbox: RunExtension = async ({ config, startServer, cancelled, write, tell }, options) => {
  const dir = await openSandboxDir(options['keep'] === undefined ? null : String(options['keep']));
  try {
    const isEmpty = options['empty'] === true;
    let brand = dir.brand;
    const sandbox = createSandbox({
      aheadMs: brand?.aheadMs ?? 0,
      keep: async (aheadMs) => {
        if (brand !== null) await dir.keep({ ...brand, aheadMs });
      },
    });
    const isNew = brand === null;
    const own = sandboxConfig(config, dir.path, { demo: isNew && !isEmpty });
    const server = await startServer(own, cancelled, sandbox.additions);
    try {
      const { clientUrl, internalUrl, adminToken, demo } = server;
      const call = internalClient(internalUrl, adminToken.value);
      if (brand === null) {
        brand = demo === null ? await createBrand(call) : { brandId: demo.brandId, apiKey: demo.apiKey };
        if (demo !== null) await fillBrand(call, brand.brandId);
        await dir.keep(brand);
      }
      const ready = { clientUrl, internalUrl, adminToken: adminToken.value, ...brand };
      write(options['json'] === true ? readyLine(ready) : readyText(ready, dir.isKept));
      if (!cancelled.aborted) await new Promise((resolve) => cancelled.addEventListener('abort', resolve));
    } finally {
      await server.stop(stopGraceMs);
    }
    const report = reportToWire(sandbox.log.list(null));
    if (options['json'] === true) write(`${JSON.stringify({ report })}\n`);
    else tell(reportText(report, server.clientUrl));
    return options['strict'] === true && report.findings.length > 0 ? 1 : 0;
  } catch (error) {
    if (cancelled.aborted) return 0;
    throw error;
  } finally {
    await dir.close();
  }
};

interface ReadySandbox extends SandboxBrand {
  readonly clientUrl: string;
  readonly internalUrl: string;
  readonly adminToken: string;
}

export function readyLine({ clientUrl, internalUrl, adminToken, brandId, apiKey }: ReadySandbox): string {
  const line = {
    ready: true,
    sandbox: true,
    client: clientUrl,
    internal: internalUrl,
    brand_id: brandId,
    api_key: apiKey,
    admin_token: adminToken,
  };
  return `${JSON.stringify(line)}\n`;
}

/** The same for people. */
function readyText(ready: ReadySandbox, isKept: boolean): string {
  const { clientUrl, internalUrl, adminToken, brandId, apiKey } = ready;
  return `
Brandport sandbox, ${isKept ? 'its data are kept' : 'its data vanish when it stops'}. Stop it with Ctrl-C.

  Address       ${clientUrl}
  API key       ${apiKey}   (brand ${brandId}, every scope)
  Console       ${internalUrl}/console/
  Admin token   ${adminToken}

  curl -s -H 'Authorization: Bearer ${apiKey}' '${clientUrl}/v1/client/catalog/products'

`;
}

/** The settings that lead to data of another server. */
const foreign = {
  databaseUrl: 'DATABASE_URL',
  analyticsUrl: 'BRANDPORT_ANALYTICS_URL',
  engineUrl: 'BRANDPORT_CLICKHOUSE_URL',
  redisUrl: 'REDIS_URL',
} as const;

/**
 * Returns the configuration of a sandbox: all defaults, with what is given for hosts, ports and the log; without ports, free
 * ones.
 * @throws ConfigError if the given one leads to another database
 */
function sandboxConfig(given: Config, dataDir: string, { demo }: { demo: boolean }): Config {
  const names = Object.keys(foreign) as (keyof typeof foreign)[];
  const problems = names
    .filter((name) => given[name] !== null)
    .map((name) => `${foreign[name]} must not be set: a sandbox has its own database.`);
  if (problems.length > 0) throw new ConfigError(problems);
  const { logLevel, logFormat, client, internal } = given;
  const portOf = (name: string, { port }: { port: number }) => (given.givenSettings.has(name) ? port : 0);
  return {
    ...loadConfig({}, dataDir),
    dataDir,
    demo,
    logLevel,
    logFormat,
    client: { host: client.host, port: portOf('PORT', client) },
    internal: { host: internal.host, port: portOf('BRANDPORT_INTERNAL_PORT', internal) },
  };
}
