import { spawn } from 'node:child_process';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { serverProgram } from './service.ts';

/** Runs doctor on the data. @throws Error with the mismatches that doctor reports */
export async function proveConsistent(databaseUrl: string, dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [serverProgram, 'doctor'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, BRANDPORT_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const report = await text(child.stdout);
  if ((await exit) !== 0) throw new Error(`doctor has found differences:\n${report.slice(0, 2_000)}`);
}
