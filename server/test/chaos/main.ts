import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * `npm run chaos -- [--seconds=600] [--kills=100] [--seed=1]`: the chaos test for longer. The seed determines the choices of
 * the clients and of what is killed, not the timing.
 */
const options = {
  seconds: { type: 'string', default: '600' },
  kills: { type: 'string', default: '100' },
  seed: { type: 'string' },
} as const;
const { values } = parseArgs({ options });
for (const [name, value] of Object.entries(values))
  if (!/^\d{1,9}$/.test(value) || (name !== 'seed' && Number(value) < 1)) {
    process.stderr.write(`--${name} must be a positive integer\n`);
    process.exit(2);
  }
const runner = fileURLToPath(new URL('../run.ts', import.meta.url));
const file = fileURLToPath(new URL('chaos.test.ts', import.meta.url));
// Start, verification and stop take minutes after a long run.
const limitMs = Number(values.seconds) * 2_000 + 900_000;
const child = spawn(process.execPath, [runner, `--test-timeout=${limitMs}`, file], {
  stdio: 'inherit',
  env: {
    ...process.env,
    BRANDPORT_CHAOS_SECONDS: values.seconds,
    BRANDPORT_CHAOS_KILLS: values.kills,
    ...(values.seed !== undefined && { BRANDPORT_CHAOS_SEED: values.seed }),
  },
});
child.once('exit', (code) => process.exit(code ?? 1));
