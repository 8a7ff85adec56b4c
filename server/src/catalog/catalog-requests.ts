import { Type } from 'typebox';
import { exampleIds } from '../api/field-schemas.ts';
import { ApiError } from '../errors/api-error.ts';

export const ProductParams = Type.Object({
  tuId: Type.String({
    pattern: '^[A-Za-z0-9_-]{21}$',
    description: 'The product’s `tu_id`.',
    examples: [exampleIds.product],
  }),
});

/** At most this many fields are listed [platform-18]. */
const maxFields = 100;

/** Collects the problems that rules beyond the schema find in a body, so that one response reports all of them. */
export class FieldProblems {
  readonly #messages = new Map<string, string[]>();

  /** `field` is a dotted path with indexes, such as `axes.0.values.1`. */
  add(field: string, message: string): void {
    const messages = this.#messages.get(field);
    if (messages !== undefined) messages.push(message);
    else if (this.#messages.size < maxFields) this.#messages.set(field, [message]);
  }

  /** @throws ApiError `validation_failed` if there is any problem. */
  throwIfAny(): void {
    if (this.#messages.size > 0)
      throw new ApiError('validation_failed', { errors: Object.fromEntries(this.#messages) });
  }
}
