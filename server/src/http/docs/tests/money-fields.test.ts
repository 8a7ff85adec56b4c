import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readPublishedDocument } from '../reference.ts';

interface Field {
  readonly place: string;
  readonly description: string | undefined;
}

const moneyName = /^price(_value|_range)?$/;

/** Finds every number that is a price or a part of one, at any depth. */
function moneyFields(node: unknown, place: string, isPrice = false): Field[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node))
    return node.flatMap((one, index) => moneyFields(one, `${place}/${index}`, isPrice));
  const { type, description } = node as { type?: string | string[]; description?: string };
  if (isPrice && [type].flat().includes('number')) return [{ place, description }];
  return Object.entries(node).flatMap(([name, child]) =>
    name === 'example' || name === 'examples'
      ? []
      : moneyFields(child, `${place}/${name}`, isPrice || moneyName.test(name)),
  );
}

// [platform-39] [platform-91]
it('the reference says at every money field what a double cannot hold', () => {
  const { paths, components } = JSON.parse(readPublishedDocument('openapi.json'));
  const fields = moneyFields({ paths, components }, '');
  const sent = fields.filter(({ place }) => /\/(Product|Variant)(Create|Update)\//.test(place));
  assert.equal(sent.length, 4);
  for (const { place, description } of sent)
    assert.match(description ?? '', /`1\.00000000000000001` is 1.* round computed prices/, place);
  assert.ok(fields.length > sent.length);
  for (const { place, description } of fields)
    assert.match(description ?? '', /At most 4 decimal places.* double/, place);
});
