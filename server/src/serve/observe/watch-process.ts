import type { Registry } from 'prom-client';
import type { RateLimits } from '../../access/rate-limits/rate-limits.ts';
import { collectGauge } from '../../http/metrics.ts';
import { packageVersion } from '../package-version.ts';

/** Shows the versions of Brandport and Node, and the role of the process. */
export function watchBuild(registry: Registry, role: string): void {
  const labels = { version: packageVersion, node: process.versions.node, role };
  collectGauge(registry, {
    name: 'brandport_build_info',
    help: 'Always 1; the labels show the version of Brandport and of Node, and the role of the process.',
    labelNames: Object.keys(labels),
    read: (gauge) => gauge.set(labels, 1),
  });
}

/** Shows whether Redis counts the requests. Without `REDIS_URL` there is no such metric. */
export function watchRedis(registry: Registry, rateLimits: RateLimits): void {
  if (rateLimits.isShared() === null) return;
  collectGauge(registry, {
    name: 'brandport_redis_up',
    help: '1 if rate limits are counted in Redis, 0 while Redis is unavailable and each process counts for itself.',
    read: (gauge) => gauge.set(rateLimits.isShared() === true ? 1 : 0),
  });
}
