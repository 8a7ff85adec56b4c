import { sha256 } from '../../lib/sha256.ts';
import { Threads } from '../../lib/threads.ts';
import { KeptBody } from './kept-body.ts';

/** The script that renders the reference: 4 MB, self-contained. */
export interface ReferenceScript {
  readonly body: KeptBody;
  /** Changes when the bytes change. */
  readonly version: string;
}

const module = new URL('./reference-script-thread.ts', import.meta.url);

/**
 * Extracts the script from Scalar's package, which exposes it only through a Fastify plug-in. `reference.ts`
 * serves it: the package's own routes support neither HEAD nor caching nor a policy without inline scripts,
 * and derive a redirect from the Host header. The package is loaded in a thread, because it takes 30 MB that are only freed
 * with the heap that loaded it.
 */
export async function loadReferenceScript(): Promise<ReferenceScript> {
  const limits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
  const script = await new Threads(limits).run<Uint8Array>({ module, data: null, transfer: [] });
  const plain = Buffer.from(script.buffer, script.byteOffset, script.byteLength);
  return { body: new KeptBody(plain), version: sha256(plain).toString('hex').slice(0, 16) };
}
