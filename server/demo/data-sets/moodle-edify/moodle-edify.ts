import { roundTripLearningData } from '../../analytics/round-trip-learning-data.ts';
import type { DataSet } from '../data-set.ts';
import { logFileNames, readLogs } from './moodle-log.ts';
import { learningDataOfLogs } from './moodle-mapping.ts';

/** 64,422 rows from the Moodle logs of fourteen courses. */
export const moodleEdify: DataSet = {
  name: 'moodle-edify',
  files: logFileNames,
  async run(run) {
    await roundTripLearningData(run, learningDataOfLogs(await readLogs(run.dir), run.part));
  },
};
