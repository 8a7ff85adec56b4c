import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { call, type ResponseOf } from '../../api/call.ts';
import { useAllPages } from '../../api/use-all-pages.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { ChoiceFilter, FilterBar, TextFilter, TimeFilter } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { DataTable } from '../../parts/table.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { Causes, perPage } from './causes.tsx';
import { messages } from './messages.ts';
import { TimeSlider } from './time-slider.tsx';

const route = getRouteApi('/brands/$brandId/explain');

/** A quantity, or the difference of two, and what led to it. The address is the whole question. */
export function ExplainPage() {
  const { brandId } = route.useParams();
  const { sku = '', location = '', from, at } = route.useSearch();
  const isAsked = sku !== '' && location !== '';
  const question = { brandId, sku, location, from, at };
  return (
    <Page
      title={messages.title}
      tabTitle={isAsked ? messages.tabTitle(sku, location) : messages.title}
      lead={messages.lead}
      actions={isAsked && <ExportButton question={question} />}
    >
      <div className="section">
        <FilterBar>
          <TextFilter label={messages.sku} name="sku" value={sku} isMono />
          <LocationField brandId={brandId} sku={sku} location={location} />
          <TimeFilter label={messages.from} name="from" value={from} />
          <TimeFilter label={messages.at} name="at" value={at} />
        </FilterBar>
        {isAsked ? <Answer question={question} /> : <Levels brandId={brandId} sku={sku} />}
      </div>
    </Page>
  );
}

interface LevelsProps {
  readonly brandId: string;
  readonly sku: string;
}

/** The levels of a SKU, each a link to its explanation; without a SKU, what to enter. */
function Levels({ brandId, sku }: LevelsProps) {
  const levels = useAllPages(
    'listStockLevels',
    { path: [brandId], query: { sku } },
    { isEnabled: sku !== '' },
  );
  const rows = levels.data?.rows ?? [];
  if (rows.length === 0) return <EmptyNote title={messages.ask} text={messages.askText} />;
  return (
    <DataTable
      caption={messages.levels}
      columns={[
        {
          header: messages.location,
          cell: ({ location }) => (
            <Link
              to="/brands/$brandId/explain"
              params={{ brandId }}
              search={{ sku, location }}
              className="mono"
              data-row-link
            >
              {location}
            </Link>
          ),
        },
        { header: messages.quantity, align: 'end', cell: ({ quantity }) => figure(quantity) },
        { header: messages.changed, cell: ({ updated_at }) => <Moment at={updated_at} /> },
      ]}
      rows={rows}
      rowKey={({ location }) => location}
    />
  );
}

function Answer({ question }: { readonly question: Question }) {
  const { before, refused_before } = route.useSearch();
  const { brandId, sku, location, from, at } = question;
  const path = [brandId] as const;
  const explanation = useApi('explainStock', {
    path,
    query: { sku, location, at, before, refused_before, limit: perPage },
  });
  const earlier = useApi(
    'explainStock',
    { path, query: { sku, location, at: from, limit: 1 } },
    { isEnabled: from !== undefined },
  );
  if (explanation.error?.status === 404) return <UnknownLevel question={question} />;
  if (from !== undefined && Date.parse(from) > Date.parse(at ?? new Date().toISOString()))
    return <EmptyNote title={messages.difference.reversed} />;
  if (from !== undefined && earlier.isError) return <ErrorNote problem={earlier.error} />;
  return (
    <Loaded query={explanation}>
      {(data) => (
        <>
          <TimeSlider explanation={data} at={at} now={explanation.dataUpdatedAt} />
          {(from === undefined || earlier.data !== undefined) && (
            <Causes
              brandId={brandId}
              explanation={data}
              at={at}
              earlier={
                from === undefined || earlier.data === undefined
                  ? null
                  : { at: from, quantity: earlier.data.quantity_at }
              }
              before={before}
              refusedBefore={refused_before}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

const words = messages.export;

/** Saves the whole chain of a question as a JSON file. */
function ExportButton({ question }: { readonly question: Question }) {
  const [isReading, setReading] = useState(false);
  const toast = useToast();

  async function save(): Promise<void> {
    setReading(true);
    try {
      const chain = `${JSON.stringify(await readChain(question), null, 2)}\n`;
      saveFile(chain, nameOf(question), 'application/json');
    } catch (error) {
      toast(words.failed(error instanceof Error ? error.message : String(error)));
    } finally {
      setReading(false);
    }
  }

  return (
    <Button disabled={isReading} onClick={() => void save()}>
      {isReading ? words.reading : words.action}
    </Button>
  );
}

function nameOf({ sku, location }: Question): string {
  return `explain-${sku}-${location}.json`.replace(/[^\w.-]+/g, '_');
}

interface Props {
  readonly brandId: string;
  readonly sku: string;
  readonly location: string;
}

/** Chooses one of the brand's locations: first those that have a level of the SKU, with its quantity. */
function LocationField({ brandId, sku, location }: Props) {
  const path = [brandId] as const;
  const locations = useAllPages('listStockLocations', { path });
  const levels = useAllPages('listStockLevels', { path, query: { sku } }, { isEnabled: sku !== '' });
  const suggestions = useMemo(() => {
    const quantities = new Map(levels.data?.rows.map((level) => [level.location, level.quantity]));
    const all = (locations.data?.rows ?? []).map(({ external_code: code, name }) => {
      const quantity = quantities.get(code);
      return {
        value: code,
        quantity,
        label: `${code}, ${messages.locations.labelOf(name === code ? null : name, quantity)}`,
      };
    });
    return [
      ...all.filter(({ quantity }) => quantity !== undefined),
      ...all.filter(({ quantity }) => quantity === undefined),
    ];
  }, [locations.data, levels.data]);
  return (
    <ChoiceFilter label={messages.location} name="location" value={location} choices={suggestions} isFree />
  );
}

const most = 5;

/** Says whether the SKU or the location is unknown, and offers similar ones. */
function UnknownLevel({ question }: { readonly question: Question }) {
  const { brandId, sku, location } = question;
  const locations = useAllPages('listStockLocations', { path: [brandId] });
  const skus = useQuery({
    queryKey: ['similarSkus', brandId, sku],
    queryFn: ({ signal }) => similarSkus(brandId, sku, signal),
  });
  if (locations.data === undefined || skus.data === undefined) return <EmptyNote title={messages.unknown} />;
  const codes = locations.data.rows.map(({ external_code: code }) => code);
  const isKnownSku = skus.data.includes(sku);
  const others = isKnownSku ? similar(codes, location) : skus.data;
  return (
    <EmptyNote title={isKnownSku ? messages.unknownLocation(location) : messages.unknownSku(sku)}>
      {others.length > 0 && (
        <p>
          {messages.similar}{' '}
          {others.map((other) => (
            <span key={other}>
              <Link
                to="/brands/$brandId/explain"
                params={{ brandId }}
                search={(search) => ({ ...search, ...(isKnownSku ? { location: other } : { sku: other }) })}
                className="mono"
              >
                {other}
              </Link>{' '}
            </span>
          ))}
        </p>
      )}
    </EmptyNote>
  );
}

/** Lists SKUs that are the same in another case, or begin alike; the SKU itself first, if it exists. */
async function similarSkus(brandId: string, sku: string, signal: AbortSignal): Promise<readonly string[]> {
  const prefixes = new Set([sku, sku.toUpperCase(), sku.toLowerCase(), sku.slice(0, -1)]);
  const found = await Promise.all(
    [...prefixes]
      .filter((prefix) => prefix !== '')
      .map((prefix) => call('listSkus', { path: [brandId], query: { prefix, limit: most } }, { signal })),
  );
  return [...new Set(found.flatMap(({ data }) => data.map((one) => one.sku)))].slice(0, most);
}

function similar(codes: readonly string[], typed: string): readonly string[] {
  const start = typed.toLowerCase().slice(0, 3);
  return codes.filter((code) => code.toLowerCase().startsWith(start)).slice(0, most);
}

type Explanation = ResponseOf<'explainStock'>;

/** The question that the address of the page asks. */
interface Question {
  readonly brandId: string;
  readonly sku: string;
  readonly location: string;
  /** The earlier instant of a difference. */
  readonly from: string | undefined;
  /** undefined: now. */
  readonly at: string | undefined;
}

/** A chain as it is exported. */
interface ChainExport {
  readonly question: Omit<Question, 'brandId'> & { readonly brand_id: number };
  readonly level: Explanation['level'];
  readonly quantity_from: number | null;
  readonly quantity_at: number;
  readonly entries: Explanation['entries'];
  readonly refused: Explanation['refused'];
  /** false: the chain is longer than what is read. */
  readonly is_complete: boolean;
}

const chainLimit = 200;
const maxPages = 100;

/**
 * Reads the whole chain of a level, or the part between two instants: up to 20,000 changes and refused lines.
 * @throws ApiProblem
 */
async function readChain({ brandId, sku, location, from, at }: Question): Promise<ChainExport> {
  // A fixed end: what happens while the pages are read does not move them.
  const until = at ?? new Date().toISOString();
  const read = (more: object) =>
    call('explainStock', {
      path: [brandId],
      query: { sku, location, at: until, limit: chainLimit, ...more },
    });
  const entries: Explanation['entries'][number][] = [];
  const refused: Explanation['refused'][number][] = [];
  const isWanted = (one: { readonly at: string }) =>
    from === undefined || Date.parse(one.at) > Date.parse(from);
  const first = await read({});
  let page = first;
  let before: number | undefined;
  let isComplete = false;
  for (let count = 1; count < maxPages; count += 1) {
    refused.push(...page.refused.filter(isWanted));
    if (page.refused_next !== null) {
      page = await read({ before, refused_before: page.refused_next });
      continue;
    }
    entries.push(...page.entries.filter(isWanted));
    const last = page.entries.at(-1);
    isComplete = page.entries.length < chainLimit || last === undefined || !isWanted(last);
    if (isComplete) break;
    before = last?.id;
    page = await read({ before });
  }
  const earlier = from === undefined ? null : await read({ at: from, limit: 1 });
  return {
    question: { brand_id: Number(brandId), sku, location, from, at: until },
    level: first.level,
    quantity_from: earlier?.quantity_at ?? null,
    quantity_at: first.quantity_at,
    entries,
    refused,
    is_complete: isComplete,
  };
}
