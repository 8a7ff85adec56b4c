import type { BrandDifferences, DoctorOutcome } from '../doctor/doctor-run-job.ts';
import { examineDatasets } from '../doctor/examine-datasets.ts';
import { runDoctor } from '../doctor/run-doctor.ts';
import { Closing } from '../lib/closing.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { connect, openEngine } from './open-installation.ts';

export interface DoctorAddresses {
  readonly main: DatabaseAddress;
  /** The PostgreSQL of the analytics store. */
  readonly analytics: DatabaseAddress;
  /** The engine with its events and datasets; null: they are in PostgreSQL. */
  readonly engineUrl: string | null;
}

/** Connects to both databases. A large brand takes its time, and no client waits; only waits for locks are limited. */
export function connectDoctor(
  { main, analytics }: Omit<DoctorAddresses, 'engineUrl'>,
  poolSize: number,
  closing: Closing,
) {
  const limits = { connect: 5_000, lock: 60_000, statement: 0, answer: 0, idleTransaction: 60_000 };
  const options = { applicationName: 'brandport-doctor', poolSize, limits };
  return {
    database: connect({ ...options, address: main, readPoolSize: poolSize }, closing),
    store: connect({ ...options, address: analytics }, closing),
  };
}

/**
 * Examines all brands on three separate connections, whose statements may take long, and counts the differences by check
 * and brand. Writes nothing. Rejects with the reason of `signal` between two batches.
 */
export async function runDoctorJob(
  { engineUrl, ...addresses }: DoctorAddresses,
  signal: AbortSignal,
): Promise<DoctorOutcome> {
  await using closing = new Closing();
  const { database, store } = connectDoctor(addresses, 1, closing);
  const engine = await openEngine(engineUrl, closing, store);
  const differences: BrandDifferences[] = [];
  const { brands, found } = await runDoctor(
    database,
    {
      repair: false,
      report: (report) =>
        differences.push({ check: report.check, brandId: report.brand_id, found: report.found }),
      cancelled: signal,
    },
    {
      examine: engine?.examined(store) ?? examineDatasets(store),
      aggregate: async () => {
        throw new Error('a run of the doctor that repairs nothing must not aggregate');
      },
    },
  );
  return { brands, found, differences: inOrder(differences) };
}

function inOrder(differences: BrandDifferences[]): BrandDifferences[] {
  return differences.sort((a, b) => a.brandId - b.brandId || (a.check < b.check ? -1 : 1));
}
