import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { isItemList, itemsOfJson } from './items-of-json.ts';
import type { ItemsMessage } from './json-items.ts';

// The thread behind `jsonItems`: parses one body and hands its items over in parts that are quick to parse again.

const itemsPerPart = 2_000;

const port = parentPort;
if (port === null) throw new Error('json-items-worker runs as a worker thread');
const post = (message: ItemsMessage) => port.postMessage(message);

const items = itemsOfJson(workerData as Uint8Array);
if (!isItemList(items)) post({ problem: items });
else {
  for (let start = 0; start < items.length; start += itemsPerPart) {
    const taken = once(port, 'message');
    post({ part: JSON.stringify(items.slice(start, start + itemsPerPart)) });
    await taken;
  }
  post({ done: true });
}
port.close();
