import { commercetoolsSunrise } from './commercetools-sunrise.ts';
import type { DataSet } from './data-set.ts';
import { magento2SampleData } from './magento2-sample-data.ts';
import { moodleEdify } from './moodle-edify/moodle-mapping.ts';
import { openFilamentDatabase } from './open-filament-database.ts';
import { oulad } from './oulad/oulad-mapping.ts';
import { spoolmandb } from './spoolmandb.ts';
import { uciOnlineRetail } from './uci-online-retail/uci-online-retail.ts';

export const catalogDataSets: readonly DataSet[] = [
  openFilamentDatabase,
  commercetoolsSunrise,
  magento2SampleData,
  spoolmandb,
  uciOnlineRetail,
];

export const analyticsDataSets: readonly DataSet[] = [oulad, moodleEdify];

/** Every data set, in the order in which they are run. */
export const dataSets: readonly DataSet[] = [...catalogDataSets, ...analyticsDataSets];
