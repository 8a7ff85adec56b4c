import type { FastifyInstance } from 'fastify';
import type { ServerAdditions } from '../../../server/src/serve/extension.ts';
import { SandboxClock, setClockOperation } from './clock.ts';
import { FaultRules, injectFaults, listFaultsOperation, replaceFaultsOperation } from './faults.ts';
import { ExchangeLog, getReportOperation } from './report.ts';

interface Sandbox {
  readonly additions: ServerAdditions;
  /** The requests of the programs under test. */
  readonly log: ExchangeLog;
}

interface SandboxTime {
  readonly aheadMs: number;
  keep(aheadMs: number): Promise<void>;
}

export function createSandbox(time: SandboxTime): Sandbox {
  const clock = new SandboxClock(time.aheadMs);
  const faults = new FaultRules();
  const log = new ExchangeLog();
  const additions: ServerAdditions = {
    clock,
    extend: (app, listener) => {
      markSandbox(app);
      if (listener !== 'client') return;
      log.observe(app);
      injectFaults(app, faults);
    },
    internalOperations: [
      listFaultsOperation(faults),
      replaceFaultsOperation(faults),
      getReportOperation(log),
      setClockOperation(clock, time.keep),
    ],
  };
  return { additions, log };
}

/** Says in every response, and in the body of `/readyz`, that the server is a sandbox. */
function markSandbox(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-brandport-sandbox', 'true');
  });
  app.addHook('preSerialization', async ({ routeOptions }, _reply, payload) =>
    routeOptions.url === '/readyz' ? { ...(payload as object), sandbox: true } : payload,
  );
}
