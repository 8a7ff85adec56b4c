import fc from 'fast-check';

/** Any code point but the surrogates, with ASCII and the Basic Multilingual Plane as often as the rest. */
const anyCharacter = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }).map((point) => String.fromCodePoint(point)),
  fc.integer({ min: 0, max: 0xf7ff }).map(skipSurrogates),
  fc.integer({ min: 0, max: 0x10_f7ff }).map(skipSurrogates),
);

/**
 * Generates well-formed text of any code points; lengths count code points. fast-check's `unit: 'binary'` first makes a
 * table of the million code points, which takes a second of each process.
 */
export function anyText(lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...lengths });
}

function skipSurrogates(index: number): string {
  return String.fromCodePoint(index < 0xd800 ? index : index + 0x800);
}
