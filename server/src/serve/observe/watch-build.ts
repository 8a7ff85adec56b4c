import type { Registry } from 'prom-client';
import { collectGauge } from '../../http/collected-gauge.ts';
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
