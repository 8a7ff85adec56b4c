// processes, alone: installs the three packages in an empty directory, and uses them as somebody who has no checkout
import process from 'node:process';
import { describePackedServer } from './packed-server.ts';

await describePackedServer('Node 24', process.execPath);
