import type { OpenSet } from '../../api/set-handling.ts';
import { notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { lockCatalogs, noteAxesChanges } from '../brand-catalog-store.ts';
import { type Locking, setOf } from '../brand-set.ts';
import type { Axis, AxisValue, NewAxis, NewAxisValue } from './axis.ts';
import { newAxis, newAxisValue } from './axis-rules.ts';
import { type AxisName, insertAxes, readAxisPlaces, type StoredAxis } from './axis-store.ts';
import {
  type AddedValue,
  type AxisValueName,
  insertAxisValues,
  readValuePlaces,
} from './axis-value-store.ts';

// Creations in one transaction, of any brands, decided in order of arrival under the brands' catalog locks.

/** Opens creations of axes with their values. @throws ApiError `decide`: see `newAxis` */
export async function openAxisCreations(
  tx: Transaction,
  creations: readonly (NewAxis & AxisName)[],
  options: Locking,
): Promise<OpenSet<Axis>> {
  const [locks, places] = await Promise.all([
    lockCatalogs(tx, creations, options),
    readAxisPlaces(tx, creations),
  ]);
  const created = new Map<string, StoredAxis>();
  const last = new Map<number, number>();
  return setOf(creations, locks, {
    decide: (creation, lock, position) => {
      const { brandId, code } = creation;
      const { id, ...place } = places[position] as (typeof places)[number];
      const name = `${brandId} ${code}`;
      const isTaken = place.isTaken || created.has(name);
      const lastPosition = last.get(brandId) ?? place.lastPosition;
      const axis = newAxis(creation, { isTaken, lastPosition }, () => lock.next());
      last.set(brandId, Math.max(lastPosition, axis.position));
      created.set(name, { brandId, id, ...axis });
      return axis;
    },
    write: () => {
      const axes = [...created.values()];
      insertAxes(tx, axes);
      insertAxisValues(
        tx,
        axes.flatMap(({ brandId, id: axisId, values }) =>
          values.map((value) => ({ brandId, axisId, ...value })),
        ),
      );
      noteAxesChanges(tx, locks, axes);
    },
  });
}

/** Opens creations of values. @throws ApiError `decide`: `not_found` when the brand has no such axis; see `newAxisValue` */
export async function openValueCreations(
  tx: Transaction,
  creations: readonly (NewAxisValue & AxisValueName)[],
  options: Locking,
): Promise<OpenSet<AxisValue>> {
  const [locks, places] = await Promise.all([
    lockCatalogs(tx, creations, options),
    readValuePlaces(tx, creations),
  ]);
  const created = new Map<string, AddedValue>();
  const last = new Map<number, number>();
  return setOf(creations, locks, {
    decide: (creation, lock, position) => {
      const { brandId, value } = creation;
      const place = places[position] ?? null;
      if (place === null) throw notFound();
      const { axisId } = place;
      const isTaken = place.isTaken || created.has(`${axisId} ${value}`);
      const lastPosition = last.get(axisId) ?? place.lastPosition;
      const made = newAxisValue(creation, { isTaken, lastPosition }, () => lock.next());
      last.set(axisId, Math.max(lastPosition, made.position));
      created.set(`${axisId} ${value}`, { brandId, axisId, ...made });
      return made;
    },
    write: () => {
      const values = [...created.values()];
      insertAxisValues(tx, values);
      noteAxesChanges(tx, locks, values);
    },
  });
}
