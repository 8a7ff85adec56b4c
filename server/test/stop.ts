import process from 'node:process';
import { sharedClusterDir } from './support/cluster/cluster-place.ts';
import { stopCluster } from './support/cluster/stop-cluster.ts';

/** `npm run test:stop`: ends the PostgreSQL that tests share between runs. */
const stopped = await stopCluster(sharedClusterDir());
process.stderr.write(`${stopped ? 'stopped' : 'not running'}: the PostgreSQL of the tests\n`);
