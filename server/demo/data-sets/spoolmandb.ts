import { join } from 'node:path';
import { type AxisChoice, axisOf, choiceOf, type LibraryAxis } from '../axes/axis-library.ts';
import { createAxes } from '../axes/create-axes.ts';
import type { Scope } from '../client/demo-brand.ts';
import { readJsonLines } from '../data-files.ts';
import { createProducts } from '../products/create-products.ts';
import { verifyTotals } from '../products/read-products.ts';
import { partOf } from '../products/round-trip-products.ts';
import { generateVariants, verifyCap } from '../variants/generate-variants.ts';
import {
  combinationsOf,
  countCombinations,
  maxCombinations,
  type ParentSource,
  variantsOf,
} from '../variants/parent.ts';
import { verifyParents } from '../variants/read-parents.ts';
import { selectAxes } from '../variants/select-axes.ts';
import type { DataSet } from './data-set.ts';

interface ManufacturerLine {
  /** `filaments/<manufacturer>.json` */
  readonly path: string;
  readonly doc: { readonly manufacturer: string; readonly filaments: readonly Filament[] };
}

/** A product line; every combination of weight, diameter and colour is sold. */
interface Filament {
  readonly name: string;
  readonly weights: readonly { readonly weight: number; readonly spool_type?: string }[];
  readonly diameters: readonly number[];
  readonly colors: readonly { readonly name: string }[];
}

const file = 'manufacturers.ndjson.gz';
const scopes: readonly Scope[] = [
  'catalog.products:read',
  'catalog.products:write',
  'catalog.axes:write',
  'catalog.variants:write',
  'catalog.stock:read',
];

/**
 * 369 filaments for 3D printers, whose 6,325 variants the server generates from three axes. One has more variants than
 * are allowed.
 */
export const spoolmandb: DataSet = {
  name: 'spoolmandb',
  files: [file],
  async run(run) {
    const lines = await readJsonLines<ManufacturerLine>(join(run.dir, file));
    const library = libraryOf(lines.flatMap(({ doc }) => doc.filaments));
    const all = lines.flatMap((line) => parentsOf(line, library));
    // The product that is too large comes first, since a part must include it.
    const large = all.filter(isTooLarge);
    const others = all.filter((source) => !isTooLarge(source));
    const sources = [...large, ...partOf(others, run.part)].slice(0, run.part ?? undefined);
    const bodies = sources.map(({ body }) => body);

    const brand = await run.newBrand(scopes);
    const what = `${sources.length} products, ${variantsOf(sources).toLocaleString('en')} variants`;
    run.announce(brand, what);
    const created = await createProducts(run, brand, bodies);
    await createAxes(run, brand, library);
    const selected = await selectAxes(run, brand, { axisLibrary: library, sources, created });
    const refused = selected.filter(isTooLarge).map((parent) => ({ ...parent, variants: [] }));
    const pending = selected.filter((parent) => !isTooLarge(parent));
    const parents = await generateVariants(run, brand, pending);
    await verifyCap(run, brand, refused);
    const state = {
      axisLibrary: library,
      lowStockThreshold: brand.lowStockThreshold,
      location: '',
      quantities: new Map<string, number>(),
    };
    await verifyParents(run, brand, [...parents, ...refused], state);
    await verifyTotals(run, brand, bodies, parents.length);
  },
};

function isTooLarge(source: Pick<ParentSource, 'choice'>): boolean {
  return countCombinations(source) > maxCombinations;
}

/** Every weight, diameter and colour of a product line, in file order. */
function libraryOf(filaments: readonly Filament[]): LibraryAxis[] {
  const texts = (of: (filament: Filament) => readonly string[]) => [...new Set(filaments.flatMap(of))];
  return [
    axisOf('weight', 'Weight', texts(weightsOf)),
    axisOf('diameter', 'Diameter', texts(diametersOf)),
    axisOf('color', 'Color', texts(colorsOf)),
  ];
}

/** Includes the spool if the file has it: a line may have one weight on two spools. */
const weightsOf = ({ weights }: Filament) =>
  weights.map(({ weight, spool_type }) => (spool_type ? `${weight} g ${spool_type}` : `${weight} g`));
const diametersOf = ({ diameters }: Filament) => diameters.map((diameter) => `${diameter} mm`);
const colorsOf = ({ colors }: Filament) => colors.map(({ name }) => name);

/** The file has no SKUs, and names are not unique: the SKU is the manufacturer's file and the place in it, from 1 on. */
function parentsOf({ path, doc }: ManufacturerLine, library: readonly LibraryAxis[]): ParentSource[] {
  const stem = path.replace(/^filaments\/(.+)\.json$/, '$1');
  return doc.filaments.map((filament, index) => {
    const texts = [weightsOf(filament), diametersOf(filament), colorsOf(filament)];
    const choice: AxisChoice[] = library.map((axis, at) => choiceOf(axis, texts[at] as string[]));
    const body = {
      sku: `${stem}-${index + 1}`,
      title: `${doc.manufacturer} ${filament.name}`,
      is_active: true,
      price_value: 0,
      price_currency: 'EUR',
    };
    const source = { body, choice, variants: [] };
    return isTooLarge(source) ? source : { ...source, variants: combinationsOf(source) };
  });
}
