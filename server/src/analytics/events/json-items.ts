import type { ReceivedBody } from '../../api/request-body.ts';
import { maxRefused } from '../../api/unknown-names.ts';
import { invalidField } from '../../errors/api-error.ts';
import { BlockText } from '../../lib/json-list/block-text.ts';
import { JsonListScanner, type ScanProblem } from '../../lib/json-list/json-list-scanner.ts';
import { scanBlocks } from '../../lib/json-list/scan-blocks.ts';
import { takeTurn } from '../../lib/turns.ts';

export interface SentItems {
  readonly first: number;
  readonly count: number;
  /** null: the items are longer than 64 KiB. */
  readonly values: readonly unknown[] | null;
}

const problems: Readonly<Record<ScanProblem, string>> = {
  utf8: 'must be UTF-8',
  json: 'must be JSON',
  object: 'must be a JSON object',
  limits: 'must be JSON',
};

/**
 * Yields the items of a body `{ items: [...] }` a few at a time, once the syntax of the whole body is checked [D67]. Needs no
 * more memory than the body and one part, and yields the event loop between parts. `onOtherNames` receives the other names, 100
 * at most, before the first item.
 * @throws ApiError `validation_failed` if the body is not such an object
 */
export async function* jsonItems(
  { blocks }: ReceivedBody,
  onOtherNames: (names: readonly string[]) => void = () => {},
): AsyncGenerator<SentItems> {
  const text = withoutMark(blocks);
  const scanner = new JsonListScanner({ names: ['items'], otherNames: maxRefused });
  await scanBlocks(scanner, text);
  const members = scanner.end();
  if (typeof members === 'string') throw invalidField('body', problems[members]);
  onOtherNames(scanner.otherNames);
  const member = members.get('items');
  if (member === undefined) throw invalidField('items', 'is required');
  if (member.items === null) throw invalidField('items', 'must be an array');
  const source = new BlockText([...text]);
  for (const { span, first, count } of member.items) {
    await takeTurn();
    const values =
      span === null ? null : (JSON.parse(`[${source.slice(span.start, span.end)}]`) as unknown[]);
    yield { first, count, values };
  }
}

/** Some clients start with a byte order mark. */
function withoutMark([first, ...others]: readonly Uint8Array[]): readonly Uint8Array[] {
  if (first === undefined) return [];
  const hasMark = first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf;
  return [hasMark ? first.subarray(3) : first, ...others];
}
