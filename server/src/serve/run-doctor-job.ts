import { examinedInPostgres } from '../doctor/analytics/examined-store.ts';
import { runDoctor } from '../doctor/run-doctor.ts';
import type { BrandDifferences, DoctorOutcome } from '../jobs/doctor-runs/doctor-run.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { Database } from '../postgres/database.ts';
import type { OpenEngine } from './analytics-engine.ts';
import { openOwnEngine } from './open-engine.ts';

export interface DoctorAddresses {
  readonly main: DatabaseAddress;
  /** The PostgreSQL of the analytics store. */
  readonly analytics: DatabaseAddress;
  /** The engine with its events and datasets; null: they are in PostgreSQL. */
  readonly engineUrl: string | null;
}

/** Opens both databases. A large brand takes its time, and no client waits; only waits for locks are limited. */
export function openForDoctor({ main, analytics }: Omit<DoctorAddresses, 'engineUrl'>, poolSize: number) {
  const limits = { connect: 5_000, lock: 60_000, statement: 0, answer: 0, idleTransaction: 60_000 };
  const options = { applicationName: 'brandport-doctor', poolSize, limits };
  const database = new Database({ ...options, address: main, readPoolSize: poolSize });
  return { database, store: new Database({ ...options, address: analytics }) };
}

/**
 * Examines all brands on three separate connections, whose statements may take long, and counts the differences by check
 * and brand. Writes nothing. Rejects with the reason of `signal` between two batches.
 */
export async function runDoctorJob(
  { engineUrl, ...addresses }: DoctorAddresses,
  signal: AbortSignal,
): Promise<DoctorOutcome> {
  const { database, store } = openForDoctor(addresses, 1);
  let engine: OpenEngine | null = null;
  const counts = new Map<string, { check: string; brandId: number; found: number }>();
  const count = (check: string, brandId: number, found: number) => {
    const key = `${check}/${brandId}`;
    const sum = counts.get(key) ?? { check, brandId, found: 0 };
    sum.found += found;
    counts.set(key, sum);
  };
  try {
    engine = await openOwnEngine(engineUrl, store);
    const { brands, found } = await runDoctor(
      database,
      {
        repair: false,
        report: ({ check, brandId }) => count(check, brandId, 1),
        reportMore: (more) => count(more.check, more.brandId, more.found),
        cancelled: signal,
      },
      {
        store: engine?.examined(store) ?? examinedInPostgres(store),
        aggregate: async () => {
          throw new Error('a run of the doctor that repairs nothing must not aggregate');
        },
      },
    );
    return { brands, found, differences: inOrder([...counts.values()]) };
  } finally {
    await engine?.close();
    await store.close();
    await database.close();
  }
}

/** Sorts by brand, then by check. */
function inOrder(differences: BrandDifferences[]): BrandDifferences[] {
  return differences.sort((a, b) => a.brandId - b.brandId || (a.check < b.check ? -1 : 1));
}
