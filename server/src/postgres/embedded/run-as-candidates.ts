import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RunAs } from './run-as.ts';

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Lists the ways to run PostgreSQL, best first.
 *
 * An ordinary user just runs it. PostgreSQL refuses to run as root, so root runs it as another user, who often has no
 * access to Brandport's folder or the data directory (mode 0700). The order is from the fewest to the most privileges
 * of a compromised PostgreSQL process:
 * 1. Only the user changes, and no privilege is left. Works if that user can reach everything.
 * 2. The user changes, and CAP_DAC_READ_SEARCH stays: every folder can be entered and every file read, but nothing
 * written that the user could not write anyway.
 * 3. The same with CAP_DAC_OVERRIDE, which writes too: containers usually leave root this one and not the former.
 * 4. A user namespace in which root has another user's id: it needs no capability, but PostgreSQL then writes as the
 * owner of root's files. The cluster's files belong to root in this case.
 *
 * For 2 and 3, PostgreSQL asks access() about its own program file, and the kernel disregards a non-root user's
 * capabilities in access() unless the securebit no_setuid_fixup is set.
 */
export async function listRunAsCandidates(clusterDir: string): Promise<RunAs[]> {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (self.uid !== 0) return [{ description: 'as the current user', owner: self, wrapper: [], ids: {} }];

  const user = (await findOrdinaryOwner(clusterDir)) ?? (await findServiceUser());
  return [
    { description: `as uid ${user.uid}`, owner: user, wrapper: [], ids: user },
    withCapability(user, 'dac_read_search'),
    withCapability(user, 'dac_override'),
    {
      description: `in a user namespace as uid ${user.uid}`,
      owner: self,
      wrapper: ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'],
      ids: {},
    },
  ];
}

function withCapability(user: Ids, capability: string): RunAs {
  return {
    description: `as uid ${user.uid} with the capability ${capability}`,
    owner: user,
    wrapper: [
      'setpriv',
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--no-new-privs',
      '--securebits=+no_setuid_fixup',
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
      '--',
    ],
    ids: {},
  };
}

/**
 * A cluster or data directory of an ordinary user is best run as that user, who can reach most of it without
 * privileges, and keeps access to what is written.
 */
async function findOrdinaryOwner(clusterDir: string): Promise<Ids | undefined> {
  for (const path of [clusterDir, dirname(clusterDir)]) {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined) return found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
  }
  return undefined;
}

async function findServiceUser(): Promise<Ids> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const name of ['postgres', 'nobody']) {
    const [, uid, gid] = users.match(new RegExp(`^${name}:[^:]*:([1-9]\\d*):(\\d+):`, 'm')) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return { uid: 65534, gid: 65534 };
}
