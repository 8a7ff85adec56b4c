import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { registerCanary } from './canaries.ts';

/** The output of a server process so far. */
export interface ServerOutput {
  readonly stdout: string;
  readonly stderr: string;
}

export interface LogLine {
  /** A pino level: 30 info, 40 warn, 50 error, 60 fatal. */
  readonly level: number;
  readonly msg: string;
}

/** For people, or the line of a log in JSON. */
const welcome =
  /\nWelcome to Brandport\.[\s\S]*?\nTo start without the demo brand: BRANDPORT_DEMO=0\n\n|^\{.*"msg":"demo brand created.*\}\n/m;
const apiKey = /tuk_[0-9a-f]{24}\.[A-Za-z0-9]{40}/;

/** Returns the standard error of a server without the welcome, which is not a log line and shows the demonstration's key. */
export function withoutWelcome(stderr: string): string {
  return stderr.replace(welcome, '\n');
}

/** Returns the key that the welcome of a first start shows; null without a welcome. */
export function findDemoKey(stderr: string): string | null {
  const text = welcome.exec(stderr)?.[0];
  return text === undefined ? null : (apiKey.exec(text)?.[0] ?? null);
}

/** Returns the complete log lines of standard error. */
export function logLinesOf(stderr: string): LogLine[] {
  const lines = withoutWelcome(stderr).split('\n');
  return lines.filter((line) => line.startsWith('{') && line.endsWith('}')).map((line) => JSON.parse(line));
}

/** Adds the output to the log that is searched for secrets at the end of the run. Only the welcome may show one. */
export function keepOutput({ stdout, stderr }: ServerOutput): void {
  const file = process.env['BRANDPORT_TEST_LOG'];
  const demoKey = findDemoKey(stderr);
  if (demoKey !== null) registerCanary(demoKey);
  if (file !== undefined) appendFileSync(file, `${stdout}${withoutWelcome(stderr)}\n`);
}
