import type { JobSender } from '../../api/job-sender.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { lockJobKey } from '../queries/find-waiting-job.ts';
import { type DoctorRun, doctorRunKey, doctorRunQueue } from './doctor-run.ts';
import { findUnfinishedDoctorRun } from './queries/doctor-run-list.ts';

/** Queues a run in the caller's transaction, and returns it; while one waits or runs, returns that one. */
export async function startDoctorRun(tx: AuditedTransaction, jobs: JobSender): Promise<DoctorRun> {
  // Until the commit, so that of two requests at once the second finds the run of the first.
  await lockJobKey(tx, doctorRunQueue, doctorRunKey);
  const unfinished = await findUnfinishedDoctorRun(tx);
  if (unfinished !== null) return unfinished;
  const id = await jobs.sendOnce(tx, { queue: doctorRunQueue, key: doctorRunKey, data: {} });
  await recordAudit(tx, {
    action: 'doctor.run',
    brandId: null,
    resourceType: 'job',
    resourceId: id,
    details: {},
  });
  return { id, state: 'queued', startedAt: null, finishedAt: null, outcome: null, error: null };
}
