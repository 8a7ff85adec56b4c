import { openBackup } from '../../../server/src/backup/check-backup.ts';
import type { BrandMover } from '../../../server/src/serve/brand-mover.ts';
import { closeBrand, openBrand } from './close-brand.ts';
import { exportBrand } from './export-brand.ts';
import { importBrand } from './import-brand.ts';
import { withCell } from './move-connection.ts';
import { listCredentials } from './queries/list-credentials.ts';
import { removeBrand } from './remove-brand.ts';

export const brandMover: BrandMover = {
  close: (addresses, brandId) => withCell(addresses, async (cell) => (await closeBrand(cell, brandId)).name),
  open: (addresses, brandId, abandonsExport) =>
    withCell(addresses, (cell) => openBrand(cell, brandId, abandonsExport)),
  exportTo: exportBrand,
  async importFrom(addresses, file, options) {
    const backup = await openBackup(file, options.cancelled, 'brand');
    try {
      return await importBrand(backup, addresses, options);
    } finally {
      await backup.reader.close();
    }
  },
  remove: (addresses, brandId, options) => withCell(addresses, (cell) => removeBrand(cell, brandId, options)),
  listKeys: (addresses, brandId) => withCell(addresses, ({ main }) => listCredentials(main.client, brandId)),
};
