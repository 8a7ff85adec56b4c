import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Loaded before a server process (`node --import`). Moves its wall clock by the milliseconds in a file. When the file
 * changes, the clock jumps. Timers, the monotonic clock and the database's clock are unaffected.
 */
const file = process.env['TEST_CLOCK_OFFSET_FILE'];
if (file === undefined) throw new Error('TEST_CLOCK_OFFSET_FILE is not set');
const SystemDate = Date;
let offsetMs = 0;

function readOffset(): void {
  // The file is empty for a moment while it is written.
  const text = readFileSync(file as string, 'utf8');
  if (text !== '') offsetMs = Number(text);
}

class MovedDate extends SystemDate {
  constructor(...args: []) {
    if (args.length === 0) super(MovedDate.now());
    else super(...args);
  }

  static override now(): number {
    return SystemDate.now() + offsetMs;
  }
}

readOffset();
setInterval(readOffset, 20).unref();
globalThis.Date = MovedDate as DateConstructor;
