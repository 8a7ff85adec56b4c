import type { Finding } from './difference.ts';
import type { DoctorSummary } from './run-doctor.ts';

/** Writes what the doctor finds, as it finds it: a report of a million differences takes no more memory than one of ten. */
export interface DoctorReport {
  finding(finding: Finding): void;
  /** To be called once, at the end. */
  end(summary: DoctorSummary): void;
}

type Write = (text: string) => void;

/** For people: a line for each finding, and a sentence. */
export function textReport(write: Write): DoctorReport {
  return {
    finding({ check, brandId, id, field, stored, actual, isRepairable, isRepaired }) {
      const outcome = isRepaired ? 'repaired' : isRepairable ? 'repairable' : 'not repairable';
      write(
        `brand ${brandId}  ${check}  ${id}  ${field}: is ${stored ?? 'null'}, should be ${actual ?? 'null'} (${outcome})\n`,
      );
    },
    end({ brands, found, repaired, left }) {
      const scope = `Examined ${brands} ${brands === 1 ? 'brand' : 'brands'}`;
      if (found === 0) write(`${scope}: everything adds up.\n`);
      else write(`${scope}: ${found} differences, ${repaired} repaired, ${left} left.\n`);
    },
  };
}

/** For programs: one JSON document, `{ differences: […], brands, found, repaired, left }`. */
export function jsonReport(write: Write): DoctorReport {
  let isFirst = true;
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
    end(summary) {
      const rest = JSON.stringify(summary).slice(1);
      write(`${isFirst ? '{"differences":[' : '\n'}],${rest}\n`);
    },
  };
}
