// processes: everything that an analytics store has to do
import { createTestDatabase } from '../../../../../test/support/test-database.ts';
import { createAnalyticsStore } from '../../analytics-store.ts';
import { describeAnalyticsStore } from '../../tests/analytics-store-contract.ts';

const { address, beforeClose } = await createTestDatabase();
const store = createAnalyticsStore({ address });
beforeClose(() => store.close());

describeAnalyticsStore('the analytics store in PostgreSQL', store);
