import type { Registry } from 'prom-client';
import packageJson from '../../../package.json' with { type: 'json' };
import { collectGauge } from '../../http/collected-gauge.ts';

/** Shows the versions of Brandport and Node, and the role of the process. */
export function watchBuild(registry: Registry, role: string): void {
  const labels = { version: packageJson.version, node: process.versions.node, role };
  collectGauge(registry, {
    name: 'brandport_build_info',
    help: 'Always 1; the labels show the version of Brandport and of Node, and the role of the process.',
    labelNames: Object.keys(labels),
    read: (gauge) => gauge.set(labels, 1),
  });
}
