import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BlockText } from '../block-text.ts';
import { JsonListScanner, type ListScannerOptions } from '../json-list-scanner.ts';

interface Found {
  /** The members as JSON.parse would have returned them. */
  readonly members: Record<string, unknown>;
}

/** Scans bytes that come in blocks of the given size, and parses what was found. */
function scan(
  text: string | Uint8Array,
  blockSize = 7,
  options: ListScannerOptions = { names: ['items', 'name'] },
): Found | string {
  const bytes = Buffer.from(text as string);
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += blockSize) blocks.push(bytes.subarray(at, at + blockSize));
  const scanner = new JsonListScanner(options);
  for (const block of blocks) scanner.write(block);
  const found = scanner.end();
  if (typeof found === 'string') return found;
  const source = new BlockText(blocks);
  const members: Record<string, unknown> = {};
  for (const [name, { start, end, items }] of [...found].sort(([, a], [, b]) => a.start - b.start)) {
    if (items === null) {
      members[name] = JSON.parse(source.slice(start, end));
      continue;
    }
    const list: unknown[] = [];
    for (const { span, first, count } of items) {
      assert.equal(first, list.length);
      const parsed = span === null ? [null] : JSON.parse(`[${source.slice(span.start, span.end)}]`);
      assert.equal(parsed.length, count);
      list.push(...parsed);
    }
    assert.equal(list.length, items.count);
    members[name] = list;
  }
  return { members };
}

function expected(text: string): Found | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'json';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'object';
  const members: Record<string, unknown> = {};
  for (const name of ['items', 'name'])
    if (Object.hasOwn(value, name)) members[name] = (value as Record<string, unknown>)[name];
  return { members };
}

describe('a scanned JSON text', () => {
  const texts = [
    '{}',
    ' { "items" : [ ] } ',
    '{"items":[1,-0,0.5,1e5,1E-2,-12.75e+10,true,false,null,"",[],{}]}',
    '{"items":[{"a":[1,{"b":"}],{"}]}, "x\\"y\\\\", "\\u00e9\\ud83d\\ude00 é😀"], "name": "n"}',
    '{"a":{"items":[1]},"items":[2],"b":[{"items":3}]}',
    '{"items":[1],"items":[2,3]}',
    '{"items":[1],"items":"none"}',
    '{"items":{"0":1},"name":12}',
    '{"it\\u0065ms":[1,2],"na\\u006de":false}',
    '[1,2]',
    '"items"',
    '12',
    'null',
    '{"items":[1,]}',
    '{"items":[,1]}',
    '{"items":[1 2]}',
    '{"items":[1}',
    '{"items":[1]]',
    '{"items"}',
    '{"items":}',
    '{items:[]}',
    "{'items':[]}",
    '{"a":1,}',
    '{"items":[01]}',
    '{"items":[+1]}',
    '{"items":[1.]}',
    '{"items":[.5]}',
    '{"items":[1e]}',
    '{"items":[-]}',
    '{"items":[tru]}',
    '{"items":[nulll]}',
    '{"items":["\t"]}',
    '{"items":["\\x"]}',
    '{"items":["\\u12g4"]}',
    '{"items":["]}',
    '{"items":[1]} x',
    '{"items":[1]}{}',
    '',
    ' ',
    '{',
    '{"items":[NaN]}',
    '{"items":[1]}\u00a0',
    '{"__proto__":{"items":[1]},"constructor":1}',
  ];
  for (const text of texts)
    it(`is taken or refused as by JSON.parse: ${text}`, () => {
      for (const size of [1, 2, 3, 7, 1_000]) assert.deepEqual(scan(text, size), expected(text));
    });

  it('is accepted or refused as by JSON.parse, with any content, cuts and damage', () => {
    const bodies = fc.record(
      {
        items: fc.oneof(fc.array(fc.jsonValue({ maxDepth: 4 })), fc.jsonValue()),
        name: fc.jsonValue(),
        other: fc.jsonValue({ maxDepth: 3 }),
      },
      { requiredKeys: [] },
    );
    const damage = fc.record({
      at: fc.nat(),
      remove: fc.integer({ min: 0, max: 2 }),
      insert: fc.constantFrom('', '', '', ',', ']', '}', '"', '0', '-', ' ', '\\', 'e', '.', '{', '['),
    });
    fc.assert(
      fc.property(bodies, damage, fc.integer({ min: 1, max: 40 }), (body, { at, remove, insert }, size) => {
        const text = JSON.stringify(body);
        const place = at % (text.length + 1);
        const damaged = text.slice(0, place) + insert + text.slice(place + remove);
        // Half of a surrogate pair is no UTF-8, and becomes another character on the way to bytes.
        const sent = Buffer.from(damaged).toString();
        assert.deepEqual(scan(sent, size), expected(sent));
      }),
      { numRuns: 600 },
    );
  });

  it('must be UTF-8, also across blocks', () => {
    const text = Buffer.from('{"items":["é€😀"]}');
    for (let at = 0; at < text.length; at += 1)
      for (const byte of [0x80, 0xc3, 0xff, 0xf0]) {
        const damaged = Buffer.from(text);
        damaged[at] = byte;
        if (isUtf8(damaged)) continue;
        for (const size of [1, 2, 3, 100]) {
          const found = scan(damaged, size);
          assert.ok(found === 'utf8' || found === 'json', `${at} ${byte} ${size}`);
        }
      }
    assert.equal(scan(Buffer.from('"\xed\xa0\x80"', 'latin1')), 'utf8');
  });

  it('may be nested as deeply as it is long, without limits', () => {
    const depth = 3_000_000;
    const text = `{"items":[${'['.repeat(depth)}${']'.repeat(depth)},1]}`;
    const scanner = new JsonListScanner({ names: ['items'] });
    scanner.write(Buffer.from(text));
    const found = scanner.end();
    assert.ok(typeof found !== 'string');
    assert.deepEqual(
      [...(found.get('items')?.items ?? [])].map(({ span, count }) => [span === null, count]),
      [
        [true, 1],
        [false, 1],
      ],
    );
  });

  it('keeps to limits that it is given', () => {
    const limits = { values: 10, depth: 3, fields: 3 };
    const limited = (text: string) => scan(text, 7, { names: [], limits });
    assert.deepEqual(limited('{"a":[[]],"b":1,"c":[1,2,3,4]}'), { members: {} });
    assert.equal(limited('{"a":[[[]]]}'), 'limits');
    assert.equal(limited('{"a":1,"b":2,"c":3,"d":4}'), 'limits');
    assert.equal(limited('{"a":[1,2,3,4,5,6,7,8,9,10]}'), 'limits');
  });

  it('has its items in groups that are quick to parse', () => {
    const items = Array.from({ length: 1_000 }, (_, index) =>
      `${index}`.repeat(index % 10 === 0 ? 1_000 : 1),
    );
    const text = JSON.stringify({ items: [...items, 'x'.repeat(70_000), 'y'.repeat(70_000), 'end'] });
    const scanner = new JsonListScanner({ names: ['items'] });
    scanner.write(Buffer.from(text));
    const found = scanner.end();
    assert.ok(typeof found !== 'string');
    const groups = [...(found.get('items')?.items ?? [])];
    for (const { span, count } of groups)
      assert.ok(span === null ? count === 1 : span.end - span.start <= 65_536 && count <= 250);
    assert.deepEqual(
      groups.filter(({ span }) => span === null).map(({ first }) => first),
      [1_000, 1_001],
    );
  });
});

describe('the other names of a scanned text', () => {
  const others = (text: string, otherNames = 3) => {
    const scanner = new JsonListScanner({ names: ['items'], otherNames });
    for (const byte of Buffer.from(text)) scanner.write(Uint8Array.of(byte));
    assert.notEqual(typeof scanner.end(), 'string');
    return scanner.otherNames;
  };

  it('are the first ones of the outermost object, each once', () => {
    assert.deepEqual(others('{"a":{"x":1},"items":[{"y":1}],"b":1,"a":2,"\\u00e9":3,"c":4}'), [
      'a',
      'b',
      'é',
    ]);
    assert.deepEqual(others('{"__proto__":1,"":2}'), ['__proto__', '']);
    assert.deepEqual(others('{"items":[{"a":1}]}', 5), []);
    assert.deepEqual(others('{"a":1}', 0), []);
  });

  it('are cut where they are long, with any content', () => {
    for (let length = 1_015; length < 1_030; length += 1)
      for (const end of ['\\u00e9\\u00e9', '\\\\\\\\', '\\n\\"', 'éé😀']) {
        const name = `${'x'.repeat(length)}${end}${'y'.repeat(20)}`;
        const [cut] = others(`{"${name}":1}`);
        assert.ok(cut?.startsWith('x'.repeat(1_015)) && cut.length <= 1_040);
      }
  });
});
