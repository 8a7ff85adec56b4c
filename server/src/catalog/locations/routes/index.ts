import type { Operation } from '../../../api/operation.ts';
import { createLocationOperation } from './create-location.ts';
import { listLocationsOperation } from './list-locations.ts';
import { updateLocationOperation } from './update-location.ts';

export const locationOperations: readonly Operation[] = [
  listLocationsOperation, //    GET   /stock/locations
  createLocationOperation, //   POST  /stock/locations
  updateLocationOperation, //   PATCH /stock/locations/:externalCode
];
