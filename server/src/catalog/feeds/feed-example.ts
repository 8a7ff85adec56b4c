import { exampleIds } from '../../api/field-schemas.ts';

const acknowledgement = {
  feed_id: exampleIds.feed,
  status: 'queued',
  received_lines: 2,
  report_url: `/v1/client/catalog/stock/feeds/${exampleIds.feed}`,
};

const outcome = {
  feed_id: exampleIds.feed,
  source: 'erp',
  status: 'completed',
  totals: { received: 2, unknown_sku: 1, applied: 1 },
  message: null,
  received_at: '2026-03-01T08:30:00.000Z',
  finished_at: '2026-03-01T08:30:00.420Z',
};

/** The bodies of the examples of feeds, as one feed has them [D45]. */
export const feedExample = {
  submission: {
    source: 'erp',
    mode: 'snapshot',
    lines: [
      { sku: 'TEE-001-red-s', location_code: 'WH-BERLIN', quantity: 12, updated_at: '2026-03-01T08:29:00Z' },
      { sku: 'TEE-999', location_code: 'WH-BERLIN', quantity: 3, reserved: 1 },
    ],
  },
  acknowledgement,
  replay: { ...acknowledgement, status: 'completed' },
  report: {
    ...outcome,
    report_url: acknowledgement.report_url,
    lines: {
      data: [
        { line: 0, sku: 'TEE-001-red-s', location_code: 'WH-BERLIN', result: 'applied', message: null },
        {
          line: 1,
          sku: 'TEE-999',
          location_code: 'WH-BERLIN',
          result: 'unknown_sku',
          message: 'No product or variant of the brand has this SKU.',
        },
      ],
      meta: { current_page: 1, per_page: 100, total: 2, last_page: 1 },
      dropped_at: null,
    },
  },
  summary: {
    ...outcome,
    brand_id: 1,
    batch_id: 'erp-stock-2026-03-01T0830',
    received_lines: 2,
    next_line: 2,
    queue_position: null,
    lines_per_second: 4.8,
    lines_dropped_at: null,
    submitted_by: exampleIds.key,
    request_id: exampleIds.request,
    requeued_as: [],
    requeue_of: null,
    waiting: null,
    failed_lines_left: 1,
  },
  requeued: {
    feed_id: 'Zc1Rk7vN_x4Lw9Tq-pHsY',
    batch_id: `requeue:${exampleIds.feed}:1`,
    source: 'erp',
    status: 'queued',
    received_lines: 1,
    totals: { received: 1 },
    message: null,
    received_at: '2026-03-01T09:10:00.000Z',
    finished_at: null,
    brand_id: 1,
    next_line: 0,
    queue_position: 1,
    lines_per_second: null,
    lines_dropped_at: null,
    submitted_by: 'admin-token',
    request_id: exampleIds.request,
    requeued_as: [],
    requeue_of: exampleIds.feed,
    waiting: { for: 'turn', since: '2026-03-01T08:30:00.000Z', attempts: 0, holder: null },
    failed_lines_left: 0,
  },
};
