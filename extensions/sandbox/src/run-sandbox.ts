import type { RunExtension } from '../../../server/src/serve/extension-command.ts';
import { createBrand } from './create-brand.ts';
import { fillBrand } from './fill-brand.ts';
import { internalClient } from './internal-client.ts';
import { reportText, reportToWire } from './report/report-wire.ts';
import { createSandbox } from './sandbox.ts';
import { sandboxConfig } from './sandbox-config.ts';
import { openSandboxDir } from './sandbox-dir.ts';
import { readyLine, readyText } from './welcome.ts';

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
