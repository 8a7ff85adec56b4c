// processes, alone: bodies as large as a feed may be
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../../errors/api-error.ts';
import { createValidatorCompiler } from '../../../http/validation/validator.ts';
import { Threads } from '../../../lib/threads.ts';
import { parseFeed } from '../feed-acceptance.ts';
import { type ParsedFeed, parseFeedBody } from '../feed-body.ts';
import { SubmitStockFeedBody } from '../feed-wire.ts';

const threads = new Threads();
const receivedAt = Date.parse('2026-03-01T12:00:00Z');
const line = { sku: 'A', location_code: 'L', quantity: 1 };

function bytesOf(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A body with a separate buffer, as requests have it: it may be transferred to a thread. */
const receivedOf = (body: unknown) => new Uint8Array(bytesOf(body));

function problemsOf(body: unknown): string[] {
  const outcome = parseFeedBody(bytesOf(body), { receivedAt });
  return 'problems' in outcome ? Object.keys(outcome.problems) : [];
}

function read(body: object): ParsedFeed {
  const outcome = parseFeedBody(bytesOf(body), { receivedAt });
  assert.ok('feed' in outcome, JSON.stringify(outcome));
  return outcome.feed;
}

function withLines(...lines: unknown[]) {
  return { source: 's', mode: 'snapshot', lines };
}

describe('the reading of a feed', () => {
  it('agrees with the documented schema, field by field, for any input', () => {
    const validate = createValidatorCompiler()({
      schema: SubmitStockFeedBody,
      httpPart: 'body',
      method: 'POST',
      url: '/',
    });
    const text = fc.oneof(
      fc.constantFrom(
        '',
        ' ',
        'A',
        ' A',
        'A ',
        '\u0000',
        'a\u0000b',
        '\ud800',
        '\u00a0x',
        '日本',
        'x'.repeat(64),
      ),
      fc.constantFrom(
        'x'.repeat(65),
        'x'.repeat(191),
        'x'.repeat(192),
        '😀'.repeat(64),
        '😀'.repeat(191),
        '😀'.repeat(192),
      ),
      fc.string(),
    );
    const instant = fc.constantFrom(
      '2026-03-01T00:00:00Z',
      '2026-03-01T00:00:00.123456+02:00',
      '2026-02-30T00:00:00Z',
      '2026-03-01T00:00:00',
      '2026-03-01',
      '0000-01-01T00:00:00Z',
      '',
    );
    const figure = fc.constantFrom(0, 1, -1, 1.5, 2_147_483_647, 2_147_483_648, -0, 1e300);
    const anything = fc.oneof(
      text,
      instant,
      figure,
      fc.constantFrom(null, true, [], {}, 'snapshot', 'delta'),
    );
    const sometimes = <T>(value: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: anything });
    const anyLine = fc.record(
      {
        sku: sometimes(text),
        location_code: sometimes(text),
        quantity: sometimes(figure),
        reserved: sometimes(figure),
        updated_at: sometimes(instant),
        other: anything,
      },
      { requiredKeys: [] },
    );
    const anyBody = fc.record(
      {
        source: sometimes(text),
        mode: sometimes(fc.constant('snapshot')),
        lines: sometimes(fc.array(sometimes(anyLine), { maxLength: 4 })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyBody, (body) => {
        // The value after a round trip: without everything that JSON cannot express.
        const sent = JSON.parse(JSON.stringify(body));
        const { error } = validate(sent) as { error?: unknown };
        const expected = error instanceof ApiError ? Object.keys(error.details.errors ?? {}) : [];
        assert.deepEqual(problemsOf(sent).sort(), expected.sort());
      }),
      { numRuns: 600 },
    );
  });

  it('lists at most 100 fields', () => {
    const lines = Array.from({ length: 300 }, () => ({ ...line, quantity: -1, sku: '' }));
    assert.equal(problemsOf(withLines(...lines)).length, 100);
  });

  it('names the line and the field', () => {
    assert.deepEqual(problemsOf(withLines(line, line, line, { ...line, quantity: '1' })), [
      'lines.3.quantity',
    ]);
    assert.deepEqual(problemsOf(withLines(line, 7)), ['lines.1']);
  });

  it('refuses numbers that JSON can express and no column can store', () => {
    for (const quantity of [
      '1e400',
      '-1e400',
      '1e-400'.replace('e-', 'e'),
      '2147483647.5',
      '99999999999999999999',
    ])
      assert.deepEqual(
        problemsOf(
          `{"source":"s","mode":"snapshot","lines":[{"sku":"A","location_code":"L","quantity":${quantity}}]}`,
        ),
        ['lines.0.quantity'],
      );
  });

  it('refuses anything but a JSON object in UTF-8, as body', () => {
    for (const body of ['', '{', '[]', 'null', '7', '"x"', '{"a":1}}', '['.repeat(200_000)])
      assert.deepEqual(problemsOf(body), ['body'], body.slice(0, 20));
    const outcome = parseFeedBody(Buffer.from([0x7b, 0xff, 0x7d]), { receivedAt });
    assert.deepEqual('problems' in outcome && outcome.problems, { body: ['must be UTF-8'] });
  });

  it('ignores a byte order mark', () => {
    assert.deepEqual(problemsOf(`\ufeff${JSON.stringify(withLines(line))}`), []);
  });

  it('ignores unknown keys, __proto__ too', () => {
    const outcome = parseFeedBody(
      Buffer.from(
        '{"__proto__":{"mode":"delta"},"source":"s","mode":"snapshot","x":1,"lines":[{"__proto__":{"quantity":9},"sku":"A","location_code":"L","quantity":1,"delta":3}]}',
      ),
      { receivedAt },
    );
    assert.ok('feed' in outcome);
  });
});

describe('the digest of a feed', () => {
  const feed = withLines({ ...line, updated_at: '2026-03-01T10:00:00Z' }, { ...line, sku: 'B', reserved: 2 });
  const digest = (body: object) => Buffer.from(read(body).linesSha256).toString('hex');

  // [D32]
  it('is the same for the same lines, regardless of formatting and source', () => {
    const spaced = JSON.parse(JSON.stringify(feed, null, 3));
    const again = withLines(
      { updated_at: '2026-03-01T11:00:00.000+01:00', note: 1, quantity: 1.0, location_code: 'L', sku: 'A' },
      { ...line, sku: '\u0042', reserved: 2 },
    );
    assert.equal(digest(spaced), digest(feed));
    assert.equal(digest(again), digest(feed));
    assert.equal(digest({ ...feed, source: 'other' }), digest(feed));
  });

  it('differs when the content of a line differs, a line is missing, or has moved', () => {
    const [first, second] = feed.lines as [object, object];
    const others = [
      withLines(first),
      withLines(second, first),
      withLines(first, second, second),
      withLines({ ...first, quantity: 2 }, second),
      withLines({ ...first, reserved: 0 }, second),
      withLines({ ...first, updated_at: '2026-03-01T10:00:00.001Z' }, second),
      withLines(first, { ...second, updated_at: '2026-03-01T12:00:00Z' }),
      withLines(first, { ...second, sku: 'b' }),
    ];
    const digests = new Set([feed, ...others].map(digest));
    assert.equal(digests.size, others.length + 1);
  });
});

describe('the digest of times', () => {
  const digest = (updated_at: string) =>
    Buffer.from(read(withLines({ ...line, updated_at })).linesSha256).toString('hex');

  it('is what it was before microseconds were kept, for times that have none', () => {
    const before = createHash('sha256')
      .update(`${JSON.stringify(['A', 'L', 1, null, Date.parse('2026-03-01T10:00:00.120Z')])}\n`)
      .digest('hex');
    for (const same of ['.12Z', '.120Z', '.120000Z', '.1200009Z'])
      assert.equal(digest(`2026-03-01T10:00:00${same}`), before);
  });

  it('differs by a microsecond', () => {
    const digests = ['.120Z', '.120001Z', '.120002Z'].map((end) => digest(`2026-03-01T10:00:00${end}`));
    assert.equal(new Set(digests).size, 3);
  });
});

// [catalog-123]
describe('a line that is dated ahead', () => {
  const outcomeOf = (updated_at: string, isKnown: boolean) =>
    parseFeedBody(bytesOf(withLines(line, { ...line, updated_at })), { receivedAt, isKnown });

  it('may be so by 24 hours, to the microsecond', () => {
    assert.ok('feed' in outcomeOf('2026-03-02T12:00:00.0000009Z', false));
    for (const later of ['2026-03-02T12:00:00.000001Z', '9999-12-31T23:59:59Z']) {
      const outcome = outcomeOf(later, false);
      assert.deepEqual('problems' in outcome && outcome.problems, {
        'lines.1.updated_at': ['must be at most 24 hours ahead of the server’s time'],
      });
    }
  });

  it('may be so by any time if it is stored already', () => {
    assert.ok('feed' in outcomeOf('9999-12-31T23:59:59Z', true));
  });
});

describe('a body that would take too much memory to parse', () => {
  it('is refused, and the server continues', async () => {
    const tooMany = [
      `{"source":"s","mode":"snapshot","lines":[${'[],'.repeat(10_000_000)}1]}`,
      `{"a":[${'{},'.repeat(10_000_000)}1]}`,
      `[${'1.5,'.repeat(8_000_000)}1]`,
      '['.repeat(32_000_000),
      '{"a":'.repeat(6_000_000),
      `{"a":${'['.repeat(70)}"]]]]]"${']'.repeat(70)}}`,
    ];
    for (const body of tooMany)
      await assert.rejects(parseFeed({ threads, owner: 1 }, receivedOf(body), { receivedAt }), {
        code: 'validation_failed',
        details: { errors: { body: ['must have at most 3000000 values and 64 levels'] } },
      });
    // Within the limits, but with more names than the thread has memory for.
    const names = `{${Array.from({ length: 2_000_000 }, (_, index) => `"k${index}":1`).join(',')}}`;
    await assert.rejects(parseFeed({ threads, owner: 1 }, receivedOf(names), { receivedAt }), {
      details: { errors: { body: ['must take less memory to parse'] } },
    });
    assert.equal(
      (await parseFeed({ threads, owner: 1 }, receivedOf(withLines(line)), { receivedAt })).receivedLines,
      1,
    );
  });

  it('may have a source or mode of any size', async () => {
    const long = JSON.stringify('\u00e9'.repeat(2_000_000));
    const body = `{"source":${long},"mode":[${long}],"lines":[${JSON.stringify(line)}]}`;
    await assert.rejects(parseFeed({ threads, owner: 1 }, receivedOf(body), { receivedAt }), {
      details: { errors: { source: ['must have at most 64 characters'], mode: ['must be a string'] } },
    });
  });

  it('is far larger than a feed of 100,000 lines with additional fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`field_${index}`, index]));
    const lines = Array.from({ length: 100_000 }, (_, index) => ({
      ...line,
      sku: `SKU-${index}`,
      ...fields,
    }));
    assert.equal(
      (await parseFeed({ threads, owner: 1 }, receivedOf(withLines(...lines)), { receivedAt })).receivedLines,
      100_000,
    );
  });
});
