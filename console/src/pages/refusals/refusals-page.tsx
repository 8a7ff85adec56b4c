import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId } from 'react';
import { clientOperations } from '../../../../client/src/generated/wire.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { BrandFilter, ChoiceFilter, FilterBar, KeyFilter, TimeRange } from '../../parts/filters.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/table.tsx';
import { messages } from './messages.ts';
import { columnsWithBrand, columnsWithKey, rowKeyOf } from './refusal-columns.tsx';

const route = getRouteApi('/brands/$brandId/refusals');
const allRoute = getRouteApi('/requests');
const words = messages.filters;
const refreshMs = 10_000;
const choicesOf = (values: readonly (string | number)[]) =>
  values.map((value) => ({ value: String(value), label: String(value) }));
const statuses = choicesOf([400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 503]);
const operations = choicesOf(Object.keys(clientOperations));

/** The requests of a brand's keys that were refused or failed, newest first. */
export function RefusalsPage() {
  const { brandId } = route.useParams();
  return (
    <Page title={messages.title} lead={messages.lead}>
      <RefusalList filters={{ ...route.useSearch(), brand: Number(brandId) }} isOfBrand />
    </Page>
  );
}

/** The requests of all brands that were refused or failed, and a field for the id of any request. */
export function RequestsPage() {
  const navigate = useNavigate();
  const id = useId();

  function open(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const requestId = String(new FormData(event.currentTarget).get('id')).trim();
    if (requestId !== '') void navigate({ to: '/requests/$requestId', params: { requestId } });
  }

  return (
    <Page title={messages.allTitle} lead={messages.allLead}>
      <form className="form-row" onSubmit={open}>
        <label htmlFor={id} className="soft">
          {messages.requestId}
        </label>
        <input
          id={id}
          name="id"
          className="input mono id-field"
          data-search
          autoComplete="off"
          maxLength={128}
        />
        <Button type="submit">{messages.look}</Button>
      </form>
      <RefusalList filters={allRoute.useSearch()} isOfBrand={false} />
    </Page>
  );
}

interface Props {
  readonly filters: ReturnType<typeof allRoute.useSearch>;
  readonly isOfBrand: boolean;
}

function RefusalList({ filters: { brand, page, ...filters }, isOfBrand }: Props) {
  const query = { ...filters, brand_id: brand, page, per_page: 50 };
  const refusals = useApi('listAllRefusals', { query }, { refreshMs });
  const codes = [...new Set((refusals.data?.data ?? []).map(({ code }) => code))];
  return (
    <div className="section">
      <FilterBar>
        {!isOfBrand && <BrandFilter value={brand} />}
        <KeyFilter name="key_id" value={filters.key_id} brandId={brand} />
        <ChoiceFilter
          label={words.status}
          name="status"
          value={filters.status?.toString()}
          choices={statuses}
        />
        <ChoiceFilter label={words.code} name="code" value={filters.code} choices={choicesOf(codes)} isFree />
        <ChoiceFilter
          label={words.operation}
          name="operation"
          value={filters.operation}
          choices={operations}
        />
        <TimeRange from={filters.from} to={filters.to} />
      </FilterBar>
      <PagedTable
        query={refusals}
        caption={messages.table}
        columns={isOfBrand ? columnsWithKey : columnsWithBrand}
        rowKey={rowKeyOf}
        noneMatch={messages.noneMatch}
        empty={<EmptyNote title={messages.empty} text={messages.emptyText} />}
      />
    </div>
  );
}
