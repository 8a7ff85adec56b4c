import { type Static, Type } from 'typebox';
import { exampleIds, NamedObject, Nullable, Timestamp } from '../api/field-schemas.ts';
import { type Operation, readOperation, writeOperation } from '../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../api/pagination.ts';
import { recordAudit } from '../audit/audit-store.ts';
import type { AuditedTransaction } from '../postgres/transaction.ts';
import type { JobSender } from '../queue/job-sender.ts';
import { lockJobKey } from '../queue/queue-store.ts';
import { doctorRunKey, doctorRunQueue } from './doctor-run-job.ts';
import { type DoctorRun, findUnfinishedDoctorRun, listDoctorRuns } from './doctor-run-store.ts';

export const DoctorRunWire = NamedObject('DoctorRun', {
  id: Type.String({ description: 'The id of the job.' }),
  state: Type.String({ enum: ['queued', 'running', 'failed', 'completed'] }),
  started_at: Nullable(Timestamp()),
  finished_at: Nullable(Timestamp()),
  brands: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Number of examined brands; null until the run is completed.',
  }),
  found: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Number of differences; null until the run is completed.',
  }),
  differences: Type.Array(
    Type.Object({
      check: Type.String({ description: 'The name of the check.' }),
      brand_id: Type.Integer(),
      found: Type.Integer({ minimum: 1 }),
    }),
    { description: 'Differences by check and brand. `brandport doctor` lists them.' },
  ),
  error: Nullable(Type.String(), { description: 'The reason of a failed run.' }),
});

const doctorRunExample: Static<typeof DoctorRunWire> = {
  id: exampleIds.job,
  state: 'completed',
  started_at: '2026-03-01T08:30:00.300Z',
  finished_at: '2026-03-01T08:31:12.512Z',
  brands: 12,
  found: 3,
  differences: [{ check: 'product_stock', brand_id: 1, found: 3 }],
  error: null,
};

export function doctorRunToWire(run: DoctorRun): Static<typeof DoctorRunWire> {
  const { id, state, startedAt, finishedAt, outcome, error } = run;
  return {
    id,
    state,
    started_at: startedAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
    brands: outcome?.brands ?? null,
    found: outcome?.found ?? null,
    differences: (outcome?.differences ?? []).map(({ check, brandId, found }) => ({
      check,
      brand_id: brandId,
      found,
    })),
    error,
  };
}

/** Queues a run in the caller's transaction, and returns it; while one waits or runs, returns that one. */
async function startDoctorRun(tx: AuditedTransaction, jobs: JobSender): Promise<DoctorRun> {
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

/** Starts the doctor without access to the server's machine [internal-140]. */
const createDoctorRunOperation = writeOperation({
  id: 'createDoctorRun',
  method: 'POST',
  path: '/doctor-runs',
  tag: 'Feeds and jobs',
  summary: 'Run the doctor',
  description:
    'Queues a job that recomputes all derived figures of all brands, analytics included, and counts the differences. It repairs nothing: see `brandport doctor --repair`. One run at a time: while one waits or runs, that one is returned. A run whose worker is stopped or killed fails.',
  access: 'administrators',
  responses: {
    202: {
      description: 'The run.',
      schema: DoctorRunWire,
      example: {
        ...doctorRunExample,
        state: 'queued',
        started_at: null,
        finished_at: null,
        brands: null,
        found: null,
        differences: [],
      },
    },
  },
  handle: async (tx, _request, { jobs }) => {
    return { status: 202, body: doctorRunToWire(await startDoctorRun(tx, jobs)) };
  },
});

const listDoctorRunsOperation = readOperation({
  id: 'listDoctorRuns',
  method: 'GET',
  path: '/doctor-runs',
  tag: 'Feeds and jobs',
  summary: 'List runs of the doctor',
  description: 'Lists the runs, newest first. They are kept for 90 days.',
  access: 'administrators',
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of runs.',
      schema: listOf(DoctorRunWire, 'DoctorRunPage'),
      example: exampleListOf(doctorRunExample),
    },
  },
  handle: async ({ database }, { query }) => {
    return pageReply(query, (page) => listDoctorRuns(database, page), doctorRunToWire);
  },
});

export const doctorRunOperations: readonly Operation[] = [createDoctorRunOperation, listDoctorRunsOperation];
