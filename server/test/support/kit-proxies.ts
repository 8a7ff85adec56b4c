import { Agent as TlsAgent } from 'node:https';
import { after } from 'node:test';
import type { Target } from '../rolling-restart/traffic.ts';
import { startHaproxy } from './haproxy-server.ts';
import { startNginx } from './nginx-server.ts';

/** Starts a proxy of the kit in front of client listeners on these ports. */
type StartProxy = (program: string, ports: readonly number[]) => Promise<Target>;

/** The proxies of `deploy/`, by the name of their program and Debian package. */
export const kitProxies: Readonly<Record<'nginx' | 'haproxy', StartProxy>> = {
  nginx: async (program, upstreamPorts) => {
    const { port, certificate } = await startNginx({ program, upstreamPorts });
    const agent = new TlsAgent({ ca: certificate, keepAlive: true });
    after(() => agent.destroy());
    return { clientUrl: `https://127.0.0.1:${port}`, agent, headers: { host: 'api.example.com' } };
  },
  haproxy: async (program, ports) => ({ clientUrl: await startHaproxy(program, ports) }),
};
