import { findFreePort } from '../support/free-port.ts';
import { logLinesOf } from '../support/server-output.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

/** A process that is started again on the same ports after a kill, as a supervisor would. */
export interface Member {
  readonly role: 'api' | 'worker';
  readonly port: number;
  readonly internalPort: number;
  /** Null while it starts or is stopped. */
  server: ServerProcess | null;
}

/** Several processes on one database and one Redis. */
export class Fleet {
  readonly members: readonly Member[];
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #ended: ServerProcess[] = [];
  kills = 0;
  /** The checkout that processes are started from; default: this one. */
  project: string | undefined;

  private constructor(members: readonly Member[], env: Readonly<Record<string, string | undefined>>) {
    this.members = members;
    this.#env = env;
  }

  static async start(
    counts: { api: number; worker: number },
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<Fleet> {
    const roles = [...Array(counts.api).fill('api'), ...Array(counts.worker).fill('worker')];
    const members: Member[] = [];
    for (const role of roles)
      members.push({ role, port: await findFreePort(), internalPort: await findFreePort(), server: null });
    const fleet = new Fleet(members, env);
    // The first one migrates the database.
    const [first, ...others] = members;
    if (first !== undefined) await fleet.launch(first);
    await Promise.all(others.map((member) => fleet.launch(member)));
    return fleet;
  }

  /** The API processes that serve now. */
  get apis(): readonly ServerProcess[] {
    return this.members.flatMap(({ role, server }) => (role === 'api' && server !== null ? [server] : []));
  }

  /** The ports of the client listeners of all API processes. */
  get apiPorts(): readonly number[] {
    return this.members.filter(({ role }) => role === 'api').map(({ port }) => port);
  }

  /** Kills a process with SIGKILL and resolves when its successor serves. */
  async killAndReplace(member: Member): Promise<void> {
    this.kills += 1;
    await this.end(member, 'SIGKILL');
    await this.launch(member);
  }

  /** Ends a process and returns its exit code. */
  async end(member: Member, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const { server } = member;
    if (server === null) throw new Error('the process has not started yet');
    member.server = null;
    server.signal(signal);
    const { code } = await server.exit;
    this.#ended.push(server);
    return code;
  }

  /** Stops all processes and returns the exit codes. */
  async stop(): Promise<readonly (number | null)[]> {
    const endings = await Promise.all(this.members.map(async ({ server }) => server?.stop()));
    return endings.map((ending) => ending?.code ?? null);
  }

  /** Lists the log lines of level error and above, of all processes and their predecessors. */
  alarms(): string[] {
    const running = this.members.flatMap(({ server }) => (server === null ? [] : [server]));
    return [...this.#ended, ...running].flatMap((server) =>
      logLinesOf(server.stderr())
        .filter(({ level }) => level >= 50)
        .map(({ msg }) => msg),
    );
  }

  /** Starts a process on its ports, and returns when it serves. */
  async launch(member: Member): Promise<void> {
    const env = {
      ...this.#env,
      PORT: String(member.port),
      BRANDPORT_INTERNAL_PORT: String(member.internalPort),
      BRANDPORT_ROLE: member.role,
    };
    const { project } = this;
    // Under load, and while all the others run, a start takes long on few cores.
    const options = { env, startLimitMs: 180_000, ...(project !== undefined && { project }) };
    member.server = await startServerProcess(options);
  }
}
