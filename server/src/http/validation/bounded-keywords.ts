import { _, type Ajv2020, type CodeKeywordDefinition, type KeywordCxt } from 'ajv/dist/2020.js';
import names from 'ajv/dist/compile/names.js';
import { Type } from 'ajv/dist/compile/util.js';
import additionalProperties from 'ajv/dist/vocabularies/applicator/additionalProperties.js';
import propertyNames from 'ajv/dist/vocabularies/applicator/propertyNames.js';
import { sizeKeywords } from './sizes.ts';

/**
 * Findings after which the rest of a body is not examined: a field has at most some six, so that those of the first 100 fields,
 * which are all that a response tells, are among them [platform-18] [D292].
 */
const enoughFindings = 800;

/** Checks items until there are enough findings. In an array that is too long, the items within `maxItems` are checked. */
const items: CodeKeywordDefinition = {
  keyword: 'items',
  type: 'array',
  schemaType: ['object', 'boolean'],
  code(cxt) {
    const { gen, data } = cxt;
    const { maxItems = Number.MAX_SAFE_INTEGER } = cxt.parentSchema as { maxItems?: number };
    const count = gen.const('count', _`Math.min(${data}.length, ${maxItems})`);
    gen.forRange('i', 0, count, (index) => {
      stopIfEnough(cxt);
      cxt.subschema({ keyword: 'items', dataProp: index, dataPropType: Type.Num }, gen.name('valid'));
    });
  },
};

const counted = new WeakMap<object, number>();

/** Returns the number of entries of a map. To list the names of a large one takes 10 ms, so its number is remembered. */
function entryCount(map: object): number {
  const known = counted.get(map);
  if (known !== undefined) return known;
  const count = Object.keys(map).length;
  if (count > 1_000) counted.set(map, count);
  return count;
}

/** Checks the entries of a map unless it has too many, which another keyword reports. */
function withinMaxProperties(definition: CodeKeywordDefinition): CodeKeywordDefinition {
  return {
    ...definition,
    code(cxt, ruleType) {
      const { maxProperties } = cxt.parentSchema as { maxProperties?: number };
      const check = () => definition.code(cxt, ruleType);
      if (maxProperties === undefined) check();
      else {
        const count = cxt.gen.scopeValue('func', { ref: entryCount });
        cxt.gen.if(_`${count}(${cxt.data}) <= ${maxProperties}`, check);
      }
    },
  };
}

function stopIfEnough({ gen }: KeywordCxt): void {
  gen.if(_`${names.default.errors} >= ${enoughFindings}`, () => gen.break());
}

interface Bounds {
  readonly maxItems?: number;
  readonly maxProperties?: number;
}

function exceeds(value: object, { maxItems = Infinity, maxProperties = Infinity }: Bounds): boolean {
  if (Array.isArray(value)) return value.length > maxItems;
  return maxProperties !== Infinity && entryCount(value) > maxProperties;
}

const limitError = {
  message: 'is too large',
  params: ({ schema }: { readonly schema: unknown }) => _`{limit: ${schema as number}}`,
};

/**
 * Replaces the keywords that go through arrays and maps by ones that stop early, so that a dense body costs no more than a legal
 * one [D292], and adds those of `sizeKeywords`. For a validator that reports all errors.
 */
export function addBoundedKeywords(ajv: Ajv2020): void {
  const loops = [items, withinMaxProperties(additionalProperties.default as CodeKeywordDefinition)];
  for (const definition of [...loops, withinMaxProperties(propertyNames.default as CodeKeywordDefinition)]) {
    ajv.removeKeyword(definition.keyword as string);
    ajv.addKeyword(definition);
  }
  ajv.removeKeyword('maxProperties');
  ajv.addKeyword({
    keyword: 'maxProperties',
    type: 'object',
    schemaType: 'number',
    validate: (limit: number, value: object) => entryCount(value) <= limit,
    error: limitError,
  });
  for (const [keyword, { type, measure }] of Object.entries(sizeKeywords))
    ajv.addKeyword({
      keyword,
      type,
      schemaType: 'number',
      // What has too many members is not measured: another keyword reports it.
      validate: (limit: number, value: object, bounds?: object) =>
        exceeds(value, bounds ?? {}) || measure(value) <= limit,
      error: limitError,
    });
}
