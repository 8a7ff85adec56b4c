import type { ReactNode } from 'react';
import { figure } from './messages.ts';
import { Moment } from './moment.tsx';

/** A value as files have it: a plain number, a word of the API, ISO 8601. */
export type RawValue = string | number | boolean | null | undefined;

export interface Column<Row> {
  /** Also identifies the column. */
  readonly header: string;
  /** The value in files. A column without it and without `at` is in none, such as one of buttons. */
  readonly text?: (row: Row) => RawValue;
  /** An instant, which is the value in files. */
  readonly at?: (row: Row) => string | null | undefined;
  /** Renders the content of a cell. Default: the instant or the value. */
  readonly cell?: (row: Row) => ReactNode;
  /** true: the value is an id or a code. */
  readonly isMono?: boolean;
  /** `end` for figures. */
  readonly align?: 'end';
  /** true: left out on narrow screens. */
  readonly isExtra?: boolean;
  /** true: only files have it, such as the currency that the table shows with the price. */
  readonly isInFilesOnly?: boolean;
  /** Its place in a row on a phone. Default: the first column, then the first figure, and the first one that is none. */
  readonly phone?: 'name' | 'state' | 'figure';
  /** The field by which the API sorts; `-`: descending first. */
  readonly sort?: string;
  /** true: without a choice, the list is in this order. */
  readonly isUsualSort?: boolean;
}

/** Returns what the table shows of a row in a column. */
export function shownIn<Row>({ cell, at, text, isMono }: Column<Row>, row: Row): ReactNode {
  if (cell !== undefined) return cell(row);
  if (at !== undefined) return <Moment at={at(row)} />;
  const value = text?.(row);
  if (isMono) return <span className="mono">{value ?? '–'}</span>;
  return typeof value === 'number' ? figure(value) : String(value ?? '');
}

/** Returns the columns that a phone shows, by their place. */
export function phonePlaces<Row>(columns: readonly Column<Row>[]): ReadonlyMap<string, string> {
  const shown = columns.filter(({ isInFilesOnly }) => !isInFilesOnly);
  const name = shown.find(({ phone }) => phone === 'name') ?? shown[0];
  const others = shown.filter((column) => column !== name);
  const open = others.filter(({ isExtra, phone }) => !isExtra && phone === undefined);
  const figureColumn = others.find(({ phone }) => phone === 'figure') ?? open.find(({ align }) => align);
  const state = others.find(({ phone }) => phone === 'state') ?? open.find(({ align }) => !align);
  return new Map([
    ...(state === undefined ? [] : [[state.header, 'state'] as const]),
    ...(figureColumn === undefined ? [] : [[figureColumn.header, 'figure'] as const]),
    ...(name === undefined ? [] : [[name.header, 'name'] as const]),
  ]);
}
