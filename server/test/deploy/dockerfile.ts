/** One instruction of a Dockerfile, continuation lines joined. */
interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A stage: the instructions after a `FROM`. */
export interface Stage {
  readonly image: string;
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
}

/** Reads the stages of a Dockerfile. Knows as much as ours needs. */
export function stagesOf(dockerfile: string): Stage[] {
  const stages: { image: string; name: string | null; instructions: Instruction[] }[] = [];
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const [, name = '', text = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`not understood: ${line}`);
    if (name !== 'FROM') stages.at(-1)?.instructions.push({ name, text });
    else {
      const [, image = '', stage = null] = /^(\S+)(?: AS (\S+))?$/.exec(text) ?? [];
      stages.push({ image, name: stage, instructions: [] });
    }
  }
  return stages;
}

/** Returns the values of `ENV`. */
export function environmentOf({ instructions }: Stage): Record<string, string> {
  const texts = instructions.filter(({ name }) => name === 'ENV').map(({ text }) => text);
  return Object.fromEntries(
    texts.flatMap((text) => [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
  );
}

/** Returns the arguments of an instruction in its JSON form, such as `CMD`. */
export function argumentsOf({ instructions }: Stage, name: string): string[] {
  const { text = '' } = instructions.findLast((instruction) => instruction.name === name) ?? {};
  return JSON.parse(text.slice(text.indexOf('[')));
}
