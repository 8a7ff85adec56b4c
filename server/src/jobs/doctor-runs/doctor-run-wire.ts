import { type Static, Type } from 'typebox';
import { exampleIds } from '../../api/example-ids.ts';
import { Nullable, Timestamp } from '../../api/field-schemas.ts';
import type { DoctorRun } from './doctor-run.ts';

export const DoctorRunWire = Type.Object({
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

export const doctorRunExample: Static<typeof DoctorRunWire> = {
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
