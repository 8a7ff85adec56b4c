import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { registerCanary } from './canaries.ts';

/** What a server process wrote so far. */
export interface ServerOutput {
  readonly stdout: string;
  readonly stderr: string;
}

export interface LogLine {
  /** As pino counts: 30 info, 40 warn, 50 error, 60 fatal. */
  readonly level: number;
  readonly msg: string;
}

const welcome = /\nWelcome to Brandport\.[\s\S]*?\nTo start without the demo brand: BRANDPORT_DEMO=0\n\n/;
const apiKey = /tuk_[0-9a-f]{24}\.[A-Za-z0-9]{40}/;

/** What a server wrote to standard error, without the one text that is no log line and shows the demonstration's key. */
export function withoutWelcome(stderr: string): string {
  return stderr.replace(welcome, '\n');
}

/** The key that the welcome of a first start shows, or null when there was no welcome. */
export function findDemoKey(stderr: string): string | null {
  const text = welcome.exec(stderr)?.[0];
  return text === undefined ? null : (apiKey.exec(text)?.[0] ?? null);
}

/** The whole log lines on standard error. */
export function logLinesOf(stderr: string): LogLine[] {
  const lines = withoutWelcome(stderr).split('\n');
  return lines.filter((line) => line.startsWith('{') && line.endsWith('}')).map((line) => JSON.parse(line));
}

/** Adds the output to what is searched for secrets at the end of the run; the welcome alone may show one. */
export function keepOutput({ stdout, stderr }: ServerOutput): void {
  const file = process.env['BRANDPORT_TEST_LOG'];
  const demoKey = findDemoKey(stderr);
  if (demoKey !== null) registerCanary(demoKey);
  if (file !== undefined) appendFileSync(file, `${stdout}${withoutWelcome(stderr)}\n`);
}
