import { BlockList, isIP } from 'node:net';
import type { Network } from '../../lib/ip-address.ts';

/** The number of addresses whose result is cached. */
const maxRemembered = 1_000;

export class TrustedProxies {
  readonly isEmpty: boolean;
  readonly #networks = new BlockList();
  readonly #remembered = new Map<string, boolean>();

  constructor(networks: readonly Network[]) {
    this.isEmpty = networks.length === 0;
    for (const { address, bits, family } of networks) this.#networks.addSubnet(address, bits, family);
  }

  /** Returns whether a plain address belongs to one of the networks; false for anything that is not an address. */
  trusts(address: string): boolean {
    if (this.isEmpty) return false;
    const remembered = this.#remembered.get(address);
    if (remembered !== undefined) return remembered;
    const version = isIP(address);
    const isTrusted = version !== 0 && this.#networks.check(address, version === 4 ? 'ipv4' : 'ipv6');
    if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
    this.#remembered.set(address, isTrusted);
    return isTrusted;
  }
}
