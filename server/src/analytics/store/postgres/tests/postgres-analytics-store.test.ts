import { createTestDatabase } from '../../../../../test/support/test-database.ts';
import { describeAnalyticsStore } from '../../tests/analytics-store-contract.ts';
import { createPostgresAnalyticsStore } from '../postgres-analytics-store.ts';

const { address, beforeClose } = await createTestDatabase();
const store = createPostgresAnalyticsStore({ address });
beforeClose(() => store.close());

describeAnalyticsStore('the analytics store in PostgreSQL', store);
