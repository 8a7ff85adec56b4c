import { type Skipped, skippedTexts } from './analytics/examination.ts';
import type { Finding, MoreDifferences } from './difference.ts';
import type { DoctorSummary } from './run-doctor.ts';

/**
 * The report of the doctor: a line for each finding as it is found, so that a million differences take no more memory than ten,
 * and a closing sentence.
 */
export function doctorReport(write: (text: string) => void) {
  return {
    finding({ check, brandId, id, field, stored, actual, isRepairable, isRepaired }: Finding): void {
      const outcome = isRepaired ? 'repaired' : isRepairable ? 'repairable' : 'not repairable';
      write(
        `brand ${brandId}  ${check}  ${id}  ${field}: is ${stored ?? 'null'}, should be ${actual ?? 'null'} (${outcome})\n`,
      );
    },
    more({ check, brandId, found, repaired }: MoreDifferences): void {
      write(`brand ${brandId}  ${check}  ${found} more differences, ${repaired} of them repaired\n`);
    },
    end({ brands, found, repaired, left, skipped }: DoctorSummary): void {
      const text = skipped === null ? '' : skippedText(skipped);
      if (text !== '') write(`Skipped: ${text}.\n`);
      const scope = `Examined ${brands} ${brands === 1 ? 'brand' : 'brands'}`;
      if (found === 0) write(`${scope}: everything adds up.\n`);
      else write(`${scope}: ${found} differences, ${repaired} repaired, ${left} left.\n`);
    },
  };
}

function skippedText(skipped: Skipped): string {
  return (Object.keys(skippedTexts) as (keyof Skipped)[])
    .filter((kind) => skipped[kind] !== 0)
    .map((kind) => `${skipped[kind]} ${skippedTexts[kind]}`)
    .join(', ');
}
