import assert from 'node:assert/strict';
import { it } from 'node:test';
import { publishedForms } from '../../docs/published-schema.ts';
import { readPublishedDocument } from '../../docs/reference.ts';
import { findPatternMessage } from '../field-messages.ts';

// Formats have their own messages.
const ofFormats = new Set(Object.values(publishedForms).map(({ pattern }) => pattern));

it('every published pattern has a message without a regular expression [platform-18]', () => {
  const patterns = new Set<string>();
  for (const name of ['openapi.json', 'openapi-internal.json'] as const)
    JSON.parse(readPublishedDocument(name), (key, value) => {
      if (key === 'pattern' && typeof value === 'string' && !ofFormats.has(value)) patterns.add(value);
      return value;
    });
  assert.ok(patterns.size > 8);
  for (const pattern of patterns)
    assert.match(findPatternMessage(pattern) ?? '', /^must (contain|be) [^^$\\]+$/, pattern);
});
