import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { InputError } from '../../errors/cli-error.ts';
import { jsonLines } from '../../input/json-lines.ts';
import { parsedJson } from '../../input/parsed-json.ts';
import type { FeedLine, PlanEnd, PlanGroup, PlanHeader } from '../plan/plan-types.ts';

/** A group of a plan. `index` is its place among the groups. */
export interface PlanEntry {
  readonly index: number;
  readonly group: PlanGroup;
  /** The lines of a feed; to be read before the next group. */
  readonly lines: () => AsyncGenerator<FeedLine, void, undefined>;
}

/** A complete plan, read line by line: memory holds one group. */
export class PlanFile {
  readonly path: string;
  readonly header: PlanHeader;
  readonly end: PlanEnd;
  /** Identifies the content of the file. */
  readonly digest: string;

  private constructor(path: string, parts: { header: PlanHeader; end: PlanEnd; digest: string }) {
    this.path = path;
    this.header = parts.header;
    this.end = parts.end;
    this.digest = parts.digest;
  }

  /** Reads the file once, for its digest and its first and last line. @throws InputError unless it is a whole plan */
  static async open(path: string): Promise<PlanFile> {
    const hash = createHash('sha256');
    let first = '';
    let last = '';
    try {
      for await (const line of jsonLines(createReadStream(path))) {
        hash.update(`${line}\n`);
        if (first === '') first = line;
        last = line;
      }
    } catch (error) {
      throw new InputError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
    const header = parsedJson(first) as Partial<PlanHeader> | null;
    if (header?.brandport_plan !== 1)
      throw new InputError(`${path} is not a plan of this version of brandport.`);
    const end = parsedJson(last) as Partial<PlanEnd> | null;
    if (end?.kind !== 'end') throw new InputError(`${path} has no last line: the plan is not complete.`);
    return new PlanFile(path, {
      header: header as PlanHeader,
      end: end as PlanEnd,
      digest: hash.digest('hex'),
    });
  }

  async *groups(): AsyncGenerator<PlanEntry, void, undefined> {
    const lines = jsonLines(createReadStream(this.path));
    await lines.next();
    for (let index = 0; ; index += 1) {
      const { value } = await lines.next();
      const group = JSON.parse(value ?? '') as PlanGroup | PlanEnd;
      if (group.kind === 'end') return;
      let left = group.kind === 'feed' ? group.lines : 0;
      const read = async function* (): AsyncGenerator<FeedLine, void, undefined> {
        for (; left > 0; left -= 1) yield JSON.parse((await lines.next()).value ?? '') as FeedLine;
      };
      yield { index, group, lines: read };
      for (; left > 0; left -= 1) await lines.next();
    }
  }
}
