import type { ReactNode } from 'react';
import type { Tone } from './state-mark.tsx';

/** The indexes of a cell. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export interface MatrixColumn {
  readonly key: string;
  readonly label: string;
  /** The long form of the label. */
  readonly title: string;
  /** `off`: the cells of the column do not count. */
  readonly tone?: Tone | undefined;
}

export interface MatrixLine {
  readonly key: string;
  readonly name: string;
  /** More words about the row, next to its name. */
  readonly note: ReactNode;
  /** The content of the columns between the name and the cells. */
  readonly sides: readonly ReactNode[];
}

/** A column between the name of a row and its cells. */
export interface SideColumn {
  readonly key: string;
  readonly label: string;
  /** CSS pixels. */
  readonly width: number;
  readonly isFigure?: boolean;
}

export interface MatrixCell {
  readonly text: string;
  /** Everything about the cell in words, for screen readers. */
  readonly label: string;
  readonly tone?: Tone | undefined;
}

/** Sizes in CSS pixels: rows, the head, the first column and the columns of cells. */
export interface MatrixSizes {
  readonly row: number;
  readonly head: number;
  readonly name: number;
  readonly cell: number;
}

export interface MatrixShape {
  /** The head of the first column. */
  readonly corner: string;
  readonly rows: readonly MatrixLine[];
  readonly columns: readonly MatrixColumn[];
  readonly sides: readonly SideColumn[];
  readonly sizes: MatrixSizes;
  readonly cellOf: (place: CellPlace) => MatrixCell;
}
