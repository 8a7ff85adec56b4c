/**
 * Closes things at the end of a block (`await using`), in reverse order: `AsyncDisposableStack`, which Node 22 lacks. Closes
 * everything, also after an error, and rejects with the first one.
 */
export class Closing implements AsyncDisposable {
  readonly #steps: (() => unknown)[] = [];

  defer(close: () => unknown): void {
    this.#steps.push(close);
  }

  adopt<Value>(value: Value, close: (value: Value) => unknown): Value {
    this.defer(() => close(value));
    return value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#steps.splice(0).reverse())
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }
}
