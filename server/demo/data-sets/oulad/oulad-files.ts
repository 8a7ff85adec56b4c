import { join } from 'node:path';
import { type CsvRow, readCsv } from '../../data-files.ts';
import { DemoError } from '../../demo-error.ts';

/** The contents of the files, in file order and unchanged. */
export interface OuladFiles {
  readonly courses: readonly { readonly module: string; readonly presentation: string }[];
  readonly assessments: readonly Assessment[];
  readonly sites: readonly Site[];
  readonly registrations: readonly { readonly student: string; readonly presentation: string }[];
  readonly clicks: readonly Clicks[];
  readonly results: readonly Result[];
}

export interface Assessment {
  readonly id: string;
  readonly module: string;
  readonly presentation: string;
  /** Tutor-marked, computer-marked, or the exam at the end. */
  readonly type: 'TMA' | 'CMA' | 'Exam';
}

/** A page of a course. */
export interface Site {
  readonly id: string;
  readonly module: string;
  readonly presentation: string;
  readonly activity: string;
}

/** Clicks of a student on a site; days count from the course's start. */
export interface Clicks {
  readonly row: number;
  readonly presentation: string;
  readonly student: string;
  readonly site: string;
  readonly dayOfCourse: number;
  readonly clicks: number;
}

export interface Result {
  readonly row: number;
  readonly student: string;
  readonly assessment: string;
  readonly dayOfCourse: number;
  /** True if the result was carried over from an earlier course. */
  readonly isBanked: boolean;
  /** null: `?` in the file. */
  readonly score: number | null;
}

export const ouladFileNames = [
  'courses.csv',
  'assessments.csv',
  'vle.csv.gz',
  'studentRegistration.csv.gz',
  'studentVle.csv.gz',
  'studentAssessment.csv.gz',
] as const;

/** @throws DemoError for an invalid cell */
export async function readOuladFiles(dir: string): Promise<OuladFiles> {
  const read = async <T>(name: (typeof ouladFileNames)[number], of: (cell: Cell, row: number) => T) =>
    (await readCsv(join(dir, name))).map((cells, row) => of(cellOf(name, cells, row), row));
  return {
    courses: await read('courses.csv', (cell) => ({
      module: cell('code_module'),
      presentation: cell('code_presentation'),
    })),
    assessments: await read('assessments.csv', (cell) => ({
      id: cell('id_assessment'),
      module: cell('code_module'),
      presentation: cell('code_presentation'),
      type: cell('assessment_type', /^(TMA|CMA|Exam)$/) as Assessment['type'],
    })),
    sites: await read('vle.csv.gz', (cell) => ({
      id: cell('id_site'),
      module: cell('code_module'),
      presentation: cell('code_presentation'),
      activity: cell('activity_type'),
    })),
    registrations: await read('studentRegistration.csv.gz', (cell) => ({
      student: cell('id_student'),
      presentation: cell('code_presentation'),
    })),
    clicks: await read('studentVle.csv.gz', (cell, row) => ({
      row,
      presentation: cell('code_presentation'),
      student: cell('id_student'),
      site: cell('id_site'),
      dayOfCourse: Number(cell('date', integer)),
      clicks: Number(cell('sum_click', integer)),
    })),
    results: await read('studentAssessment.csv.gz', (cell, row) => ({
      row,
      student: cell('id_student'),
      assessment: cell('id_assessment'),
      dayOfCourse: Number(cell('date_submitted', integer)),
      isBanked: cell('is_banked', /^[01]$/) === '1',
      score: scoreOf(cell('score', /^(\?|\d+)$/)),
    })),
  };
}

const integer = /^-?\d+$/;
const scoreOf = (text: string) => (text === '?' ? null : Number(text));

type Cell = (column: string, form?: RegExp) => string;

function cellOf(file: string, cells: CsvRow, row: number): Cell {
  return (column, form = /./) => {
    const text = cells[column];
    if (text === undefined || !form.test(text))
      throw new DemoError(`${file}, row ${row + 1}: ${column} is not understood: ${text}`);
    return text;
  };
}
