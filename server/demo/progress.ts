import type { WriteStream } from 'node:tty';
import { SingleBar } from 'cli-progress';

/** Shows the progress of a step. */
export interface Progress {
  update(records: number): void;
  /** Shown until the next record is done. */
  note(text: string): void;
  end(): void;
}

/** The destination of the progress: `process.stdout`, or a stream that a test collects. */
export type Output = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean };

const plainLineEveryMs = 10_000;

/** Shows a bar on a terminal; otherwise a line every ten seconds and one at the end. */
export function startProgress(output: Output, title: string, total: number): Progress {
  return output.isTTY === true ? startBar(output, title, total) : startLines(output, title, total);
}

function startBar(output: Output, title: string, total: number): Progress {
  const bar = new SingleBar({
    format: `  ${title.padEnd(24)} {bar} {value}/{total}  {duration_formatted}  {note}`,
    barsize: 30,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    stream: output as NodeJS.WritableStream,
    // The program stops the bar itself, and handles signals itself.
    gracefulExit: false,
  });
  bar.start(total, 0, { note: '' });
  return {
    update: (records) => bar.update(records, { note: '' }),
    note: (text) => bar.update({ note: text }),
    end: () => bar.stop(),
  };
}

function startLines(output: Output, title: string, total: number): Progress {
  const startedAt = performance.now();
  let records = 0;
  let lastNote = '';
  const line = (rest: string) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    output.write(`  ${title.padEnd(24)} ${records}/${total}  ${seconds} s${rest}\n`);
  };
  const timer = setInterval(() => line(lastNote), plainLineEveryMs);
  timer.unref();
  return {
    update: (count) => {
      records = count;
      lastNote = '';
    },
    note: (text) => {
      lastNote = `  ${text}`;
    },
    end: () => {
      clearInterval(timer);
      line('');
    },
  };
}
