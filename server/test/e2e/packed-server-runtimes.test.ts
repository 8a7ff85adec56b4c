// nightly: installs the packages for an older Node, and runs the test runners of integrators
import { findRuntime } from '../../../client/tests/find-runtime.ts';
import { describePackedServer } from './packed-server.ts';

const vitest = findRuntime('vitest', () => true);
const jest = findRuntime('jest', (text) => text.startsWith('29.'));
const node22 = findRuntime('../node-22/bin/node', (text) => text.startsWith('v22.'));

await describePackedServer('Node 22', node22, {
  ...(vitest !== null && { vitest }),
  ...(jest !== null && { jest }),
});
