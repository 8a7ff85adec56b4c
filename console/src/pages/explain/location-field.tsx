import { useMemo } from 'react';
import { useAllPages } from '../../api/use-all-pages.ts';
import { FilterField } from '../../parts/filter-field.tsx';
import { messages } from './messages.ts';

interface Props {
  readonly brandId: string;
  readonly sku: string;
  readonly location: string;
}

const words = messages.locations;

/** Chooses one of the brand's locations: first those that have a level of the SKU, with its quantity. */
export function LocationField({ brandId, sku, location }: Props) {
  const path = [brandId] as const;
  const locations = useAllPages('listStockLocations', { path });
  const levels = useAllPages('listStockLevels', { path, query: { sku } }, { isEnabled: sku !== '' });
  const suggestions = useMemo(() => {
    const quantities = new Map(levels.data?.rows.map((level) => [level.location, level.quantity]));
    const all = (locations.data?.rows ?? []).map(({ external_code: code, name }) => {
      const quantity = quantities.get(code);
      return { value: code, quantity, label: words.labelOf(name === code ? null : name, quantity) };
    });
    return [
      ...all.filter(({ quantity }) => quantity !== undefined),
      ...all.filter(({ quantity }) => quantity === undefined),
    ];
  }, [locations.data, levels.data]);
  return (
    <FilterField
      label={messages.location}
      name="location"
      value={location}
      isMono
      suggestions={suggestions}
    />
  );
}
