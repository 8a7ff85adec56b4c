import { type Apart, apartTexts } from './analytics/examination.ts';
import type { Finding, MoreDifferences } from './difference.ts';
import type { DoctorSummary } from './run-doctor.ts';

/** Writes findings one by one: a report of a million differences takes no more memory than one of ten. */
export interface DoctorReport {
  finding(finding: Finding): void;
  more(more: MoreDifferences): void;
  /** Call it once, at the end. */
  end(summary: DoctorSummary): void;
}

type Write = (text: string) => void;

/** A report for people: a line for each finding, and a closing sentence. */
export function textReport(write: Write): DoctorReport {
  return {
    finding({ check, brandId, id, field, stored, actual, isRepairable, isRepaired }) {
      const outcome = isRepaired ? 'repaired' : isRepairable ? 'repairable' : 'not repairable';
      write(
        `brand ${brandId}  ${check}  ${id}  ${field}: is ${stored ?? 'null'}, should be ${actual ?? 'null'} (${outcome})\n`,
      );
    },
    more({ check, brandId, found, repaired }) {
      write(`brand ${brandId}  ${check}  ${found} more differences, ${repaired} of them repaired\n`);
    },
    end({ brands, found, repaired, left, apart }) {
      const set = apart === null ? '' : apartText(apart);
      if (set !== '') write(`Not compared, and no differences: ${set}.\n`);
      const scope = `Examined ${brands} ${brands === 1 ? 'brand' : 'brands'}`;
      if (found === 0) write(`${scope}: everything adds up.\n`);
      else write(`${scope}: ${found} differences, ${repaired} repaired, ${left} left.\n`);
    },
  };
}

function apartText(apart: Apart): string {
  return (Object.keys(apartTexts) as (keyof Apart)[])
    .filter((kind) => apart[kind] !== 0)
    .map((kind) => `${apart[kind]} ${apartTexts[kind]}`)
    .join(', ');
}

/**
 * A report for programs: one JSON document, `{ differences: […], brands, found, repaired, left }`; `more` counts by check and
 * brand what is not listed, `not_compared` what was not compared. Both are absent if there is nothing.
 */
export function jsonReport(write: Write): DoctorReport {
  let isFirst = true;
  const rest: object[] = [];
  const next = () => {
    const text = isFirst ? '{"differences":[\n' : ',\n';
    isFirst = false;
    return text;
  };
  return {
    finding({ check, brandId, id, field, stored, actual, isRepairable, isRepaired }) {
      const difference = { check, brand_id: brandId, id, field, stored, actual };
      write(next() + JSON.stringify({ ...difference, repairable: isRepairable, repaired: isRepaired }));
    },
    more({ check, brandId, found, repaired }) {
      rest.push({ check, brand_id: brandId, found, repaired });
    },
    end({ brands, found, repaired, left, apart }) {
      const summary = {
        brands,
        found,
        repaired,
        left,
        ...(rest.length > 0 && { more: rest }),
        ...(apart !== null && apartText(apart) !== '' && { not_compared: apart }),
      };
      const end = JSON.stringify(summary).slice(1);
      write(`${isFirst ? '{"differences":[' : '\n'}],${end}\n`);
    },
  };
}
