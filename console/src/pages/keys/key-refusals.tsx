import { Link } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { DataTable } from '../../parts/table.tsx';
import { refusalColumns, rowKeyOf } from '../refusals/refusal-columns.tsx';

interface Props {
  readonly brandId: string;
  readonly keyId: string;
}

const shown = 10;
const refreshMs = 10_000;

/** The last refused requests of a key, also of one that is revoked or expired. */
export function KeyRefusals({ brandId, keyId }: Props) {
  const query = { brand_id: Number(brandId), key_id: keyId, group: true, per_page: shown };
  const refusals = useApi('listAllRefusals', { query }, { refreshMs });
  return (
    <section className="section" aria-labelledby="refusals">
      <h2 id="refusals">Refused requests</h2>
      <Loaded query={refusals}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="soft">No request of this key was refused lately</p>
          ) : (
            <>
              <DataTable caption="Refused requests" columns={refusalColumns} rows={data} rowKey={rowKeyOf} />
              {meta.total > data.length && (
                <p>
                  <Link to="/brands/$brandId/refusals" params={{ brandId }} search={{ key_id: keyId }}>
                    All refused requests of this key
                  </Link>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}
