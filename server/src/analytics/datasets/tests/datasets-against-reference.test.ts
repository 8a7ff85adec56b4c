// processes, alone: random events, compared with an independent computation
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { describeDatasetsAgainstReference } from './reference-contract.ts';

describeDatasetsAgainstReference(await createTestApps(), 20);
