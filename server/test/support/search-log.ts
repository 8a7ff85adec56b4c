import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createLeakFinder, readCanaries } from './canaries.ts';

const shownLeaks = 10;
const shownCharacters = 600;

/** Searches the log of a test run for the secrets that the run used. */
export async function searchLog(
  logFile: string,
  canaryFile: string,
): Promise<{ readonly isClean: boolean; readonly report: string }> {
  const secrets = readCanaries(canaryFile);
  const findLeak = createLeakFinder(secrets);
  const leaks: string[] = [];
  let lines = 0;
  for await (const line of createInterface({ input: createReadStream(logFile) })) {
    lines += 1;
    const secret = findLeak(line);
    if (secret !== null) leaks.push(`  "${secret}" in: ${line.slice(0, shownCharacters)}`);
  }
  const scope = `${lines} log lines searched for ${secrets.length} secrets`;
  if (leaks.length === 0) return { isClean: true, report: `${scope}: none found` };
  const list = leaks.slice(0, shownLeaks).join('\n');
  return { isClean: false, report: `SECRETS IN THE LOG: ${leaks.length} of ${scope}\n${list}` };
}
