import { keyFrom } from '@brandport/client';

/**
 * Derives the idempotency keys of a plan's writes from their content. The plan's id is part of each: the same content in
 * another plan is another write, for the state in between may have been another.
 */
export class StepKeys {
  readonly #planId: string;

  constructor(planId: string) {
    this.#planId = planId;
  }

  /** @param step the place of the write among those of its product, which may contain the same content twice */
  key(name: string, step: number, body: unknown): Promise<string> {
    return keyFrom('sync', this.#planId, name, step, body);
  }
}
