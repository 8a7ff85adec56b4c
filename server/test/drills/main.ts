import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * `npm run drills -- [--only=<name>,<name>] [--as-shipped]`: breaks the kit of `deploy/` under load, in each way or in some, and
 * prints a table. `--as-shipped` keeps the intervals of Prometheus and its rules, which take up to two minutes a drill.
 */
const options = { only: { type: 'string', default: 'all' }, 'as-shipped': { type: 'boolean' } } as const;
const { values } = parseArgs({ options });
const runner = fileURLToPath(new URL('../run.ts', import.meta.url));
const file = fileURLToPath(new URL('drills.test.ts', import.meta.url));
const child = spawn(process.execPath, [runner, '--test-timeout=3600000', file], {
  stdio: 'inherit',
  env: {
    ...process.env,
    BRANDPORT_TEST_PROCESS_MINUTES: '80',
    BRANDPORT_DRILLS_ONLY: values.only,
    ...(values['as-shipped'] && { BRANDPORT_DRILLS_AS_SHIPPED: '1' }),
  },
});
child.once('exit', (code) => process.exit(code ?? 1));
