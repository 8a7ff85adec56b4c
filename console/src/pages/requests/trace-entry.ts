import type { ResponseOf } from '../../api/call.ts';

type Refusal = ResponseOf<'listRefusals'>['data'][number];

/** Something that a request has written. The document of the server leaves the fields of each kind open. */
export type TraceEntry = {
  readonly at: string;
  readonly brand_id: number | null;
} & (
  | {
      readonly kind: 'stock_movement';
      readonly id: number;
      readonly sku: string;
      readonly location: string;
      readonly quantity_before: number;
      readonly quantity_after: number;
      readonly key_id: string | null;
    }
  | {
      readonly kind: 'stock_feed';
      readonly feed_id: string;
      readonly source_batch_id: string;
      readonly status: string;
      readonly received_lines: number;
      readonly key_id: string | null;
    }
  | {
      readonly kind: 'idempotency_key';
      readonly key: string;
      readonly method: string | null;
      readonly path: string | null;
      readonly status: number | null;
      readonly key_id: string | null;
    }
  | ({ readonly kind: 'refusal' } & Omit<Refusal, 'at' | 'request_id'>)
  | {
      readonly kind: 'audit_entry';
      readonly id: number;
      readonly action: string;
      readonly resource_type: string;
      readonly resource_id: string;
      readonly actor: string | null;
    }
);
