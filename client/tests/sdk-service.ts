import { registerCanary } from '../../server/test/support/canaries.ts';
import { createSandboxFaults, type SandboxFaults } from '../../server/test/support/sandbox-faults.ts';
import {
  createTestApps,
  type TestApps,
  type TestBrand,
  testAdminToken,
} from '../../server/test/support/test-apps.ts';
import { BrandportAdmin } from '../src/admin/index.ts';
import { Brandport, type BrandportOptions } from '../src/index.ts';

export interface SdkService {
  readonly apps: TestApps;
  readonly clientUrl: string;
  readonly internalUrl: string;
  readonly admin: BrandportAdmin;
  /** Creates a brand and a client of it. */
  newBrand(options?: Partial<BrandportOptions>): Promise<SdkBrand>;
}

export interface SdkBrand extends TestBrand {
  readonly brandport: Brandport;
  /** Creates another client with the same key. */
  connect(options?: Partial<BrandportOptions>): Brandport;
  /** Replaces the faults that the brand's requests meet. */
  meet(...rules: Parameters<SandboxFaults['replace']>[1]): void;
}

/** Starts the real apps with their listeners; they end with the test file. */
export async function startSdkService(
  options: Parameters<typeof createTestApps>[0] = {},
): Promise<SdkService> {
  const faults = createSandboxFaults();
  const apps = await createTestApps({ additions: faults.additions, ...options });
  const listen = { host: '127.0.0.1', port: 0 };
  const clientUrl = await apps.clientApp.listen(listen);
  const internalUrl = await apps.internalApp.listen(listen);
  return {
    apps,
    clientUrl,
    internalUrl,
    admin: new BrandportAdmin({ baseUrl: internalUrl, adminToken: testAdminToken }),
    newBrand: async (more = {}) => {
      const brand = await apps.newBrand();
      registerCanary(brand.apiKey);
      const connect = (others: Partial<BrandportOptions> = {}) =>
        new Brandport({ baseUrl: clientUrl, apiKey: brand.apiKey, ...others });
      return {
        ...brand,
        brandport: connect(more),
        connect,
        meet: (...rules) => faults.replace(brand.brandId, rules),
      };
    },
  };
}
