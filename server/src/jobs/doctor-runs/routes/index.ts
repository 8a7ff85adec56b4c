import type { Operation } from '../../../api/operation.ts';
import { createDoctorRunOperation } from './create-doctor-run.ts';
import { listDoctorRunsOperation } from './list-doctor-runs.ts';

export const doctorRunOperations: readonly Operation[] = [
  createDoctorRunOperation, // POST /doctor-runs
  listDoctorRunsOperation, //  GET  /doctor-runs
];
