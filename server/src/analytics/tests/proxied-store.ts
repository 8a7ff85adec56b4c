import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { createTestDatabase } from '../../../test/support/test-database.ts';

/** Creates an analytics store in its own database, whose connections the returned proxy can cut. */
export async function createProxiedStore() {
  const storeDatabase = await createTestDatabase();
  if ('url' in storeDatabase.address) throw new Error('the address of a test database is a socket');
  const { user, password, database } = storeDatabase.address;
  const proxy = await startTcpProxy(storeDatabase.address);
  const analyticsAddress = { host: '127.0.0.1', port: proxy.port, user, password, database };
  return { storeDatabase, proxy, analyticsAddress };
}
