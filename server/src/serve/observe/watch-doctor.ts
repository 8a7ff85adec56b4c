import type { Registry } from 'prom-client';
import { collectGauge } from '../../http/metrics.ts';
import { findLastOutcome } from '../../jobs/doctor-run-store.ts';
import { RememberedReading } from '../../lib/remembered-reading.ts';
import type { Database } from '../../postgres/database.ts';

/** Shows the outcome of the last completed run of the doctor, by any process. */
export function watchDoctor(registry: Registry, database: Database): void {
  const last = new RememberedReading({ read: () => findLastOutcome(database), lifetimeMs: 10_000 });
  collectGauge(registry, {
    name: 'brandport_doctor_findings',
    help: 'Differences that the last completed run of the doctor found; missing before the first one.',
    read: async (gauge) => {
      const known = await last.get();
      gauge.remove();
      if (known !== null) gauge.set(known.found);
    },
  });
  collectGauge(registry, {
    name: 'brandport_doctor_last_run_timestamp_seconds',
    help: 'When the last completed run of the doctor ended, in seconds since 1970; missing before the first one.',
    read: async (gauge) => {
      const known = await last.get();
      gauge.remove();
      if (known !== null) gauge.set(known.finishedAt.getTime() / 1_000);
    },
  });
}
