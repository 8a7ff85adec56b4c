import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ToArchive } from '../../../../server/src/backup/backed-engine.ts';
import { BackupError } from '../../../../server/src/backup/backup-error.ts';
import type { EnginePart } from '../../../../server/src/backup/manifest.ts';
import type { ClickHouse } from '../store/clickhouse.ts';

export interface Writing extends ToArchive {
  readonly clickHouse: ClickHouse;
}

/** A month of a table, as conditions whose rows follow each other. */
export interface Member {
  readonly name: string;
  readonly month: number;
  readonly columns: readonly string[];
  readonly conditions: readonly string[];
}

/**
 * Adds the rows of a member in bounded memory, and returns its part of the manifest.
 * @throws BackupError if ClickHouse does not return all rows
 */
export async function writeMember(
  { writer, clickHouse, log, cancelled }: Writing,
  { name, month, columns, conditions }: Member,
): Promise<EnginePart['tables'][number]> {
  let expected = 0;
  const lines = new PassThrough();
  const reading = (async () => {
    for (const condition of conditions) {
      expected += await clickHouse.count(name, condition, { signal: cancelled });
      await clickHouse.readStream(
        `select ${columns.join(', ')} from ${name} where ${condition}`,
        { signal: cancelled },
        (stream, signal) => pipeline(stream, lines, { end: false, signal }),
      );
    }
    lines.end();
  })();
  reading.catch((error: Error) => lines.destroy(error));
  const member = `clickhouse.${name}.${month}.tsv.zst`;
  const measure = await writer.addCompressed(member, lines, cancelled);
  await reading;
  if (measure.rows !== expected)
    throw new BackupError(
      `ClickHouse returned ${measure.rows} rows of ${name} in ${month}, not ${expected}. Try again.`,
    );
  log('info', `clickhouse.${name} ${month}: ${measure.rows} rows, ${measure.bytes} bytes`);
  return { name, month, columns: [...columns], member, ...measure };
}

/** Adds the events that match a condition, a member for each month. */
export async function writeEvents(
  writing: Writing,
  condition: string,
  columns: readonly string[],
): Promise<EnginePart['tables']> {
  const months = await writing.clickHouse.numbers(
    `select distinct month from learning_events where ${condition} order by month`,
    { signal: writing.cancelled },
  );
  const parts: EnginePart['tables'] = [];
  for (const month of months) {
    const conditions = [`month = ${month} and ${condition}`];
    parts.push(await writeMember(writing, { name: 'learning_events', month, columns, conditions }));
  }
  return parts;
}
