import { type Config, ConfigError, loadConfig } from '../../../server/src/config.ts';

/** The settings that lead to data of another server. */
const foreign = {
  databaseUrl: 'DATABASE_URL',
  analyticsUrl: 'BRANDPORT_ANALYTICS_URL',
  engineUrl: 'BRANDPORT_CLICKHOUSE_URL',
  redisUrl: 'REDIS_URL',
} as const;

/**
 * Returns the configuration of a sandbox: all defaults, on free ports, with what is given for hosts and the log.
 * @throws ConfigError if the given one leads to another database
 */
export function sandboxConfig(given: Config, dataDir: string, { demo }: { demo: boolean }): Config {
  const names = Object.keys(foreign) as (keyof typeof foreign)[];
  const problems = names
    .filter((name) => given[name] !== null)
    .map((name) => `${foreign[name]} must not be set: a sandbox has its own database.`);
  if (problems.length > 0) throw new ConfigError(problems);
  const { logLevel, logFormat } = given;
  return {
    ...loadConfig({}, dataDir),
    ...{ dataDir, demo, logLevel, logFormat },
    client: { host: given.client.host, port: 0 },
    internal: { host: given.internal.host, port: 0 },
  };
}
