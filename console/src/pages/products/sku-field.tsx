import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { call } from '../../api/call.ts';
import { messages } from './messages.ts';

interface Props {
  readonly brandId: string;
  readonly value: string | undefined;
}

/** The field that finds a SKU. Enter opens the product whose SKU, or whose variant's, it is; else lists those that begin so. */
export function SkuField({ brandId, value = '' }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const id = useId();
  useEffect(() => {
    if (field.current !== null) field.current.value = value;
  }, [value]);

  const typed = () => field.current?.value.trim() ?? '';

  function list(sku: string): void {
    if (sku === value) return;
    const search = (old: object) => ({ ...old, page: undefined, sku: sku === '' ? undefined : sku });
    void navigate({ to: '.', search: search as never, replace: true });
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const sku = typed();
    const found = sku === '' ? undefined : await findExact(sku).catch(() => undefined);
    if (found === undefined) return list(sku);
    await navigate({
      to: '/brands/$brandId/products/$productId',
      params: { brandId, productId: found.product_tu_id },
      search: found.kind === 'variant' ? { variant: found.tu_id } : {},
    });
  }

  /** The SKU itself comes before the others that begin with it. */
  async function findExact(sku: string) {
    const query = { prefix: sku, limit: 1 };
    const { data } = await queries.fetchQuery({
      queryKey: ['listSkus', [brandId], query],
      queryFn: ({ signal }) => call('listSkus', { path: [brandId], query }, { signal }),
    });
    return data.find((each) => each.sku === sku && !each.is_deleted);
  }

  return (
    <form className="field" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>{messages.sku}</label>
      <input
        ref={field}
        id={id}
        className="input"
        type="search"
        data-mono
        data-search
        maxLength={191}
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        onInput={() => typed() === '' && list('')}
      />
    </form>
  );
}
