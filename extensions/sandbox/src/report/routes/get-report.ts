import { Type } from 'typebox';
import { operationKit } from '../../../../../server/src/api/operation.ts';
import type { Services } from '../../../../../server/src/http/services.ts';
import type { ExchangeLog } from '../observe-exchanges.ts';
import { ReportWire, reportToWire } from '../report-wire.ts';

export const getReportOperation = (log: ExchangeLog) =>
  operationKit<Services>().readOperation({
    id: 'getReport',
    method: 'GET',
    path: '/sandbox/report',
    tag: 'Sandbox',
    summary: 'Show the mistakes of programs',
    description: 'Examines the requests of all brands, or of one.',
    access: 'administrators',
    query: Type.Object({ brand_id: Type.Optional(Type.Integer({ minimum: 1 })) }),
    responses: { 200: { description: 'The report.', schema: ReportWire } },
    handle: async (_context, { query }) => ({
      status: 200,
      body: reportToWire(log.list(query.brand_id ?? null)),
    }),
  });
