import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** A reporter that writes the path of each test file whose tests have all passed, in a line. */
// biome-ignore lint/style/noDefaultExport: that is how node loads a reporter
export default async function* passedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events)
    if (type === 'test:summary' && data.success && data.file !== undefined) yield `${data.file}\n`;
}

/** Returns the entries of a run that did not pass: a test failed, or the process exited early. */
export function listFailed(root: string, entries: readonly string[], passedFile: string): string[] {
  const passed = new Set(readFileSync(passedFile, 'utf8').split('\n'));
  return entries.filter((entry) => !passed.has(resolve(root, entry)));
}
