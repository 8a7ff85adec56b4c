import { commercetoolsSunrise } from './commercetools-sunrise.ts';
import type { DataSet } from './data-set.ts';
import { openFilamentDatabase } from './open-filament-database.ts';

/** Every data set, in the order in which they are run. */
export const dataSets: readonly DataSet[] = [openFilamentDatabase, commercetoolsSunrise];
