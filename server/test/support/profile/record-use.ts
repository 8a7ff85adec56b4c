import { appendFileSync } from 'node:fs';
import process from 'node:process';
import type { CpuUse } from './cpu-use.ts';

/** The use of one test file, or of one process of test files. */
export interface UseRecord {
  readonly kind: 'file' | 'process';
  /** The test file, or the script that the process ran. */
  readonly name: string;
  readonly cpu: CpuUse;
  /** Milliseconds from begin to end. */
  readonly wall: number;
}

/** The file that `npm test -- --profile` collects records in; undefined without that option. */
const profileFile = process.env['BRANDPORT_TEST_PROFILE'];

/** Adds a record to the profile of the run, if it has one. */
export function recordUse(record: UseRecord): void {
  if (profileFile !== undefined) appendFileSync(profileFile, `${JSON.stringify(record)}\n`);
}
