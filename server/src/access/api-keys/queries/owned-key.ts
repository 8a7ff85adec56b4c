import type { OwnedAccess } from '../../../api/access.ts';
import { statement } from '../../../postgres/statement.ts';
import { isKeyId } from '../api-key.ts';

/** Access to operations that name an API key as `:key_id`, by its public id or as a whole. */
export const ownedKey: OwnedAccess = {
  findBrandId: async (database, { key_id: given = '' }) => {
    const [keyId = ''] = given.split('.', 1);
    if (!isKeyId(keyId)) return null;
    const rows = await database.run(
      statement<{ brand_id: number }>(
        'find_brand_of_key',
        'select brand_id from api_keys where key_id = $1',
        [keyId],
      ),
    );
    return rows[0]?.brand_id ?? null;
  },
};
