import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientDomains, internalOperations } from '../../operations.ts';
import { createValidatorCompiler } from '../../validation/validator.ts';

const operations = [...clientDomains.flatMap((domain) => domain.operations), ...internalOperations];
const compile = createValidatorCompiler();

describe('the examples of requests pass the schemas that validate requests', () => {
  for (const operation of operations) {
    const { id, method, path: url, body, bodyExample, query } = operation;

    if (body !== undefined)
      it(`in the body of ${id}`, () => {
        assert.ok(bodyExample !== undefined);
        const validate = compile({ schema: body, httpPart: 'body', method, url });
        assert.deepEqual(validate(structuredClone(bodyExample)), { value: bodyExample });
      });

    if (query !== undefined)
      it(`in the query of ${id}, as the text that a URL carries`, () => {
        const { properties, required = [] } = query as unknown as {
          properties: Record<string, { examples: unknown[] }>;
          required?: readonly string[];
        };
        const needed = Object.fromEntries(required.map((name) => [name, properties[name]?.examples[0]]));
        const validate = compile({ schema: query, httpPart: 'querystring', method, url });
        for (const [name, { examples }] of Object.entries(properties)) {
          assert.ok(examples.length > 0, name);
          for (const example of examples) {
            const result = validate({ ...needed, [name]: String(example) });
            assert.deepEqual(result, { value: { ...needed, [name]: example } });
          }
        }
      });
  }
});
