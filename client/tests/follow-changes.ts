import { appendFileSync, closeSync, fsyncSync, openSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Brandport, fileState } from '../src/index.ts';

/** A process that copies the changes of products into a file, as an integrator's would; tests kill it. */
const [baseUrl = '', apiKey = '', statePath = '', outPath = ''] = process.argv.slice(2);
const brandport = new Brandport({ baseUrl, apiKey });
const changes = brandport.catalog.products.changes({ state: fileState(statePath), intervalMs: 20 });
for await (const { items } of changes) {
  const file = openSync(outPath, 'a');
  for (const { tu_id: tuId, updated_at: updatedAt, title } of items) {
    appendFileSync(file, `${JSON.stringify({ tuId, updatedAt, title })}\n`);
    // Leaves room for a kill in the middle of a batch.
    if (Math.random() < 0.2) await sleep(1);
  }
  fsyncSync(file);
  closeSync(file);
}
