import { serialize } from 'node:v8';
import { maxRefused } from '../../api/unknown-names.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { nestingProblem } from './sent-event.ts';

/** Items longer than this, in bytes of JSON without white space, are refused. */
const maxItemBytes = 65_536;
const groupBytes = 65_536;
const itemsPerGroup = 250;
/** An item that is nested deeper is longer than `maxItemBytes`. */
const jsonLimits = { levels: maxItemBytes };

/** Some consecutive items of a body, as `GroupItem[]` in the form of `v8.serialize`: one thread writes it, another reads it. */
export interface ItemGroup {
  readonly first: number;
  readonly items: Uint8Array;
}

export type GroupItem = { readonly value: unknown } | { readonly refusal: string };

/** A body `{ items: [...] }` whose syntax is valid as a whole, or its problem. */
export type EventList = {
  /** The other names of the body, 100 at most. */
  readonly otherNames: readonly string[];
} & ({ readonly groups: readonly ItemGroup[] } | { readonly field: string; readonly problem: string });

/** Parses a body of events [D67]. Slow: 8 MiB keep a core busy for half a second. */
export function parseEventList(bytes: Uint8Array): EventList {
  const parsed = parseJson(bytes, jsonLimits);
  if ('problem' in parsed) return { field: 'body', problem: parsed.problem, otherNames: [] };
  const body = parsed.value;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { field: 'body', problem: 'must be a JSON object', otherNames: [] };
  const { items, ...others } = body as { items?: unknown };
  const otherNames = Object.keys(others).slice(0, maxRefused);
  if (items === undefined) return { field: 'items', problem: 'is required', otherNames };
  if (!Array.isArray(items)) return { field: 'items', problem: 'must be an array', otherNames };
  return { otherNames, groups: groupsOf(items) };
}

/** Cuts items into groups that are read in a millisecond each; releases each item when it is written. */
function groupsOf(items: unknown[]): ItemGroup[] {
  const groups: ItemGroup[] = [];
  let group: GroupItem[] = [];
  let bytes = 0;
  let first = 0;
  for (const [index, value] of items.entries()) {
    items[index] = null;
    const refusal = nestingProblem(value);
    const size = refusal === null ? Buffer.byteLength(JSON.stringify(value)) : 0;
    const isLong = size > maxItemBytes;
    group.push(
      refusal !== null ? { refusal } : isLong ? { refusal: 'the item is longer than 64 KiB' } : { value },
    );
    if (!isLong) bytes += size;
    if (group.length === itemsPerGroup || bytes >= groupBytes || index === items.length - 1) {
      groups.push({ first, items: serialize(group) });
      group = [];
      bytes = 0;
      first = index + 1;
    }
  }
  return groups;
}
