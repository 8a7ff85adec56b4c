import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Log } from '../../lib/log.ts';

const tailLines = 30;
const maxLineCharacters = 2000;

/** Forwards PostgreSQL's log line by line, and keeps its last lines. */
export function forwardLog(stream: Readable, log: Log): { tail(): string } {
  const lines: string[] = [];
  createInterface({ input: stream }).on('line', (line) => {
    const text = line.slice(0, maxLineCharacters);
    lines.push(text);
    if (lines.length > tailLines) lines.shift();
    log(levelOf(text), `postgres: ${text}`);
  });
  return { tail: () => lines.join('\n') };
}

/** FATAL ends one session (often just because of a shutdown), PANIC the server. */
function levelOf(line: string): 'info' | 'warn' | 'error' {
  if (line.startsWith('PANIC:')) return 'error';
  return /^(WARNING|ERROR|FATAL):/.test(line) ? 'warn' : 'info';
}
