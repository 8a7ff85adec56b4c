import { roundTripLearningData } from '../../analytics/round-trip-learning-data.ts';
import type { DataSet } from '../data-set.ts';
import { ouladFileNames, readOuladFiles } from './oulad-files.ts';
import { learningDataOfOulad } from './oulad-mapping.ts';

/** 13,905 rows of clicks and 173,912 assessment results of the Open University. */
export const oulad: DataSet = {
  name: 'oulad',
  files: ouladFileNames,
  async run(run) {
    await roundTripLearningData(run, learningDataOfOulad(await readOuladFiles(run.dir), run.part));
  },
};
