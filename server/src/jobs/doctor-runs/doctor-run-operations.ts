import { Type } from 'typebox';
import { type Operation, readOperation, writeOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { listDoctorRuns, startDoctorRun } from './doctor-run-store.ts';
import { DoctorRunWire, doctorRunExample, doctorRunToWire } from './doctor-run-wire.ts';

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
      schema: listOf(DoctorRunWire),
      example: exampleListOf(doctorRunExample),
    },
  },
  handle: async ({ database }, { query }) => {
    return pageReply(query, (page) => listDoctorRuns(database, page), doctorRunToWire);
  },
});

export const doctorRunOperations: readonly Operation[] = [createDoctorRunOperation, listDoctorRunsOperation];
