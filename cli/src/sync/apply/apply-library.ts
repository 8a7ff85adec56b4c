import { type Brandport, isBrandportError } from '@brandport/client';
import type { LibraryStep } from '../plan/plan-types.ts';

/** Codes that say that the thing to create exists: an earlier process may have created it, too long ago for its key. */
const existing = ['duplicate_axis_code', 'duplicate_axis_value', 'conflict'];

/** Carries out one write of the library. @throws BrandportError */
export async function applyLibraryStep(
  { catalog }: Brandport,
  step: LibraryStep,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (step.do === 'create_axis') await catalog.axes.create(step.body, { idempotencyKey: step.key, signal });
    else if (step.do === 'update_axis') await catalog.axes.update(step.code, step.body, { signal });
    else if (step.do === 'create_value')
      await catalog.axes.createValue(step.code, step.body, { idempotencyKey: step.key, signal });
    else if (step.do === 'update_value')
      await catalog.axes.updateValue(step.code, step.value, step.body, { signal });
    else if (step.do === 'create_location')
      await catalog.locations.create(step.body, { idempotencyKey: step.key, signal });
    else await catalog.locations.update(step.code, step.body, { signal });
  } catch (error) {
    const isCreation = step.do.startsWith('create');
    if (!(isCreation && isBrandportError(error) && existing.includes(error.code))) throw error;
  }
}
