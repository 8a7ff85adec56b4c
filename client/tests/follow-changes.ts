import { appendFileSync, closeSync, fsyncSync, openSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Brandport, fileState } from '../src/index.ts';

/** A process that copies the changes of products or of stock into a file, as an integrator's would; tests kill it. */
const [baseUrl = '', apiKey = '', statePath = '', outPath = '', of = 'products'] = process.argv.slice(2);
const { products, stock } = new Brandport({ baseUrl, apiKey }).catalog;
const options = { state: fileState(statePath), intervalMs: 20 };
for await (const { items } of of === 'stock' ? stock.changes(options) : products.changes(options)) {
  const file = openSync(outPath, 'a');
  for (const item of items) {
    appendFileSync(file, `${JSON.stringify(item)}\n`);
    // Leaves room for a kill in the middle of a batch.
    if (Math.random() < 0.2) await sleep(1);
  }
  fsyncSync(file);
  closeSync(file);
}
