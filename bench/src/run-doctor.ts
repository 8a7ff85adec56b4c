import process from 'node:process';
import type { Keeper } from './keeper/start-keeper.ts';
import { serverProgram } from './service.ts';

/** Runs doctor on the data. @throws Error with the mismatches that doctor reports */
export async function proveConsistent(keeper: Keeper, databaseUrl: string, dataDir: string): Promise<void> {
  const { code, output } = await keeper.runProgram({
    args: [serverProgram, 'doctor'],
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, BRANDPORT_DATA_DIR: dataDir },
    showErrors: true,
  });
  if (code !== 0) throw new Error(`doctor has found differences:\n${output.slice(0, 2_000)}`);
}
