import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: messages are JSON.
type Json = any;

/**
 * A Singer target that checks what it receives against the rules of the protocol: SCHEMA before RECORD, records that fit,
 * nothing but messages. It replaces all rows of a date, and keeps them once a STATE follows, as a target with transactions does.
 */
export class CheckingTarget {
  /** Rows by stream and date, as of the last STATE. */
  readonly stored: Record<string, Record<string, Json[]>> = {};
  readonly keys: Record<string, readonly string[]> = {};
  state: Json = null;
  states = 0;
  readonly #validators = new Map<string, (record: unknown) => boolean>();
  #pending: [stream: string, record: Json][] = [];

  /** Receives a line. @throws AssertionError if it breaks a rule */
  receive(line: string): void {
    const message = JSON.parse(line);
    if (message.type === 'SCHEMA') this.#schema(message);
    else if (message.type === 'RECORD') this.#record(message);
    else if (message.type === 'STATE') this.#commit(message.value);
    else assert.fail(`unknown message: ${line.slice(0, 200)}`);
  }

  #schema({ stream, schema, key_properties, bookmark_properties }: Json): void {
    const ajv = new Ajv2020({ strict: true, formats: { date: /^\d{4}-\d\d-\d\d$/ }, allowUnionTypes: true });
    this.#validators.set(stream, ajv.compile({ ...schema, additionalProperties: false }));
    for (const name of [...key_properties, ...bookmark_properties])
      assert.ok(name in schema.properties, name);
    this.keys[stream] = key_properties;
    this.stored[stream] ??= {};
  }

  #record({ stream, record, time_extracted }: Json): void {
    const validate = this.#validators.get(stream);
    assert.ok(validate, `RECORD of ${stream} before its SCHEMA`);
    assert.ok(validate(record), `${stream}: ${JSON.stringify((validate as Json).errors)}`);
    assert.ok(!Number.isNaN(Date.parse(time_extracted)), time_extracted);
    this.#pending.push([stream, record]);
  }

  #commit(state: Json): void {
    const replaced = new Set<string>();
    for (const [stream, record] of this.#pending) {
      const days = this.stored[stream] ?? {};
      if (!replaced.has(`${stream} ${record.date}`)) days[record.date] = [];
      replaced.add(`${stream} ${record.date}`);
      days[record.date]?.push(record);
    }
    for (const [stream, keys] of Object.entries(this.keys)) this.#assertKeys(stream, keys);
    this.#pending = [];
    this.state = state;
    this.states += 1;
  }

  #assertKeys(stream: string, keys: readonly string[]): void {
    if (keys.length === 0) return;
    const all = Object.values(this.stored[stream] ?? {}).flat();
    const values = all.map((record) => keys.map((key) => record[key]).join(' '));
    assert.equal(new Set(values).size, values.length, `${stream} has two records of one key`);
    assert.ok(all.every((record) => keys.every((key) => record[key] !== null)));
  }

  /** Forgets what no STATE has followed, as a target that was killed. */
  crash(): void {
    this.#pending = [];
  }
}
