import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../../api/pagination.ts';
import { DoctorRunWire, doctorRunExample, doctorRunToWire } from '../doctor-run-wire.ts';
import { listDoctorRuns } from '../queries/doctor-run-list.ts';

export const listDoctorRunsOperation = readOperation({
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
