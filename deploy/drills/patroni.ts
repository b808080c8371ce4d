// Debian's Patroni, etcd, HAProxy and pgBackRest with the configuration of deploy/, as three
// machines on this one.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../src/postgres/free-port.ts';
import { findHaproxy } from '../../tools/haproxy.ts';
import { pollUntil } from '../../tools/poll-until.ts';
import { querySql, runSql } from '../../tools/run-sql.ts';
import { stopWithThisProcess } from '../../tools/stop-with-this-process.ts';
import { ROOT } from './compose-file.ts';
import { postgresFolder, postgresUser, type Store } from './stores.ts';

const run = promisify(execFile);
const NUMBERS = [1, 2, 3];
const PORTS = [2379, 2380, 5432, 8008];
/** The password of every user in the shipped files. */
const PASSWORD = 'of-a-drill';
/** Variables that name all machines. The others name the one that they are for. */
const OF_ALL_MACHINES = ['ETCD_INITIAL_CLUSTER', 'PATRONI_ETCD_HOSTS'];

interface Shared {
  readonly folder: string;
  readonly bin: string;
  readonly user: Awaited<ReturnType<typeof postgresUser>>;
  /** Free ports of this machine, by the address in the shipped configuration. */
  readonly ports: ReadonlyMap<string, number>;
}

/** One of three machines: etcd, Patroni and its PostgreSQL. */
class Machine {
  readonly name: string;
  readonly data: string;
  readonly port: number;
  readonly #number: number;
  readonly #folder: string;
  readonly #shared: Shared;
  #etcd: ChildProcess | undefined;
  #patroni: ChildProcess | undefined;

  constructor(number: number, shared: Shared) {
    this.name = `node${number}`;
    this.#number = number;
    this.#shared = shared;
    this.#folder = join(shared.folder, this.name);
    this.data = join(this.#folder, 'data');
    this.port = this.#portOf(5432);
  }

  /** The URL of its PostgreSQL for the superuser. */
  get superuserUrl(): string {
    return `postgresql://postgres:${PASSWORD}@127.0.0.1:${this.port}/postgres`;
  }

  async create(): Promise<void> {
    await mkdir(this.#folder);
    const { uid, gid } = this.#shared.user;
    if (uid !== undefined && gid !== undefined) await chown(this.#folder, uid, gid);
    const [backup, patroni] = [await readShipped('pgbackrest.conf'), await readShipped('patroni.yaml')];
    const paths = ['lock', 'log', 'spool'].map((kind) => `${kind}-path=${this.#folder}\n`);
    await writeFile(
      join(this.#folder, 'pgbackrest.conf'),
      backup
        .replace('/var/lib/pgbackrest', join(this.#shared.folder, 'archive'))
        .replace('/var/lib/postgresql/dues', `${this.data}\npg1-port=${this.port}`)
        .replace('[global]\n', `[global]\n${paths.join('')}`),
    );
    await writeFile(
      join(this.#folder, 'patroni.yaml'),
      patroni
        .replaceAll('pgbackrest --', `pgbackrest --config=${this.#folder}/pgbackrest.conf --`)
        // This machine may have no watchdog.
        .replace('mode: required', 'mode: automatic'),
    );
  }

  async start(): Promise<void> {
    this.#etcd = this.#spawn('etcd', [], await this.#variablesOf('etcd.env'));
    await this.startPatroni();
  }

  async startPatroni(): Promise<void> {
    this.#patroni = this.#spawn('patroni', ['patroni.yaml'], await this.#variablesOf('node.env'));
  }

  /** Stops Patroni with its PostgreSQL. */
  async stopPatroni(): Promise<void> {
    if (!this.#patroni || hasEnded(this.#patroni)) return;
    const exited = once(this.#patroni, 'exit');
    this.#patroni.kill('SIGTERM');
    await exited;
  }

  /** Sends a signal to all processes of the machine. */
  async signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const own = [this.#etcd, this.#patroni].filter((child) => child !== undefined && !hasEnded(child));
    const pids = [...own.map((child) => String(child?.pid)), ...(await this.#postgresProcesses())];
    // One may have ended meanwhile.
    await run('kill', ['-s', signal.slice(3), ...pids]).catch(() => undefined);
    if (signal === 'SIGKILL')
      await Promise.all(own.map((child) => child && !hasEnded(child) && once(child, 'exit')));
  }

  /** Whether Patroni says so within a second: a silent machine does not answer. */
  async isPrimary(): Promise<boolean> {
    const url = `http://127.0.0.1:${this.#portOf(8008)}/primary`;
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    return response?.ok ?? false;
  }

  /** Makes the machine begin with the database at a time, when it starts as the first of a cluster. */
  async restoreTo(time: string): Promise<void> {
    const file = join(this.#folder, 'patroni.yaml');
    const config = await readFile(file, 'utf8');
    await writeFile(
      file,
      config.replace('#method: restore', 'method: restore').replace(/--target="[^"]*"/, `--target="${time}"`),
    );
  }

  /** Puts the files of PostgreSQL aside. */
  async putDataAside(): Promise<void> {
    await rename(this.data, `${this.data}.old`);
  }

  /** Runs a program of the machine as PostgreSQL's user. Returns its output. @throws with its errors */
  async run(program: 'pgbackrest' | 'patronictl', argv: readonly string[], input = ''): Promise<string> {
    const own =
      program === 'pgbackrest'
        ? [`--config=${this.#folder}/pgbackrest.conf`, '--stanza=dues']
        : ['--config-file', 'patroni.yaml'];
    const env = await this.#variablesOf('node.env');
    const running = run(program, [...own, ...argv], { ...this.#shared.user, cwd: this.#folder, env });
    running.child.stdin?.end(input);
    return (await running).stdout;
  }

  async #postgresProcesses(): Promise<string[]> {
    const file = await readFile(join(this.data, 'postmaster.pid'), 'utf8').catch(() => '');
    const [postmaster] = file.split('\n');
    if (!postmaster) return [];
    const children = await run('pgrep', ['--parent', postmaster]).catch(() => ({ stdout: '' }));
    return [postmaster, ...children.stdout.split('\n').filter(Boolean)];
  }

  #portOf(port: number): number {
    return this.#shared.ports.get(`10.0.0.${this.#number}:${port}`) as number;
  }

  /** The variables of a shipped file, for this machine. */
  async #variablesOf(file: 'etcd.env' | 'node.env'): Promise<Record<string, string>> {
    const lines = [...(await readShipped(file)).matchAll(/^(\w+)=(.*)$/gm)];
    const variables = lines.map(([, key = '', shipped = '']) => {
      const isOwn = !OF_ALL_MACHINES.includes(key);
      const value = isOwn
        ? shipped.replaceAll('node1', this.name).replaceAll('0.1:', `0.${this.#number}:`)
        : shipped;
      return [key, adaptAddresses(value.replace(/^<.*>$/, PASSWORD), this.#shared.ports)];
    });
    return {
      ...Object.fromEntries(variables),
      PATH: process.env.PATH ?? '',
      ...(file === 'etcd.env'
        ? { ETCD_DATA_DIR: join(this.#folder, 'etcd') }
        : {
            PATRONI_POSTGRESQL_DATA_DIR: this.data,
            PATRONI_POSTGRESQL_BIN_DIR: this.#shared.bin,
            PATRONI_POSTGRESQL_PGPASS: join(this.#folder, 'pgpass'),
          }),
    };
  }

  #spawn(program: string, argv: string[], env: Record<string, string>): ChildProcess {
    const log = openSync(join(this.#folder, `${program}.log`), 'a');
    const child = spawn(program, argv, {
      ...this.#shared.user,
      cwd: this.#folder,
      env,
      stdio: ['ignore', log, log],
    });
    stopWithThisProcess(child);
    return child;
  }
}

/** Three machines with a database of dues, behind HAProxy. */
export class PatroniCluster implements Store {
  readonly machines: readonly Machine[];
  /** The port of HAProxy. */
  readonly port: number;
  readonly #haproxy: ChildProcess;

  private constructor(machines: readonly Machine[], port: number, haproxy: ChildProcess) {
    this.machines = machines;
    this.port = port;
    this.#haproxy = haproxy;
  }

  /** @param folder an empty folder that every user may enter */
  static async start(folder: string, passwordFile: string): Promise<PatroniCluster> {
    const ports = new Map<string, number>();
    for (const number of NUMBERS) {
      for (const port of PORTS) ports.set(`10.0.0.${number}:${port}`, await freePort());
    }
    const user = await postgresUser();
    const shared = { folder, bin: await postgresFolder(), user, ports };
    const archive = join(folder, 'archive');
    await mkdir(archive);
    if (user.uid !== undefined && user.gid !== undefined) await chown(archive, user.uid, user.gid);
    const machines = NUMBERS.map((number) => new Machine(number, shared));
    for (const machine of machines) await machine.create();
    await Promise.all(machines.map((machine) => machine.start()));
    const port = await freePort();
    const cluster = new PatroniCluster(machines, port, await startHaproxy(folder, ports, port));
    const primary = await cluster.untilComplete();
    const password = (await readFile(passwordFile, 'utf8')).trim();
    await runSql(primary.superuserUrl, `CREATE ROLE dues LOGIN PASSWORD '${password}'`);
    await runSql(primary.superuserUrl, 'CREATE DATABASE dues OWNER dues');
    await primary.run('pgbackrest', ['stanza-create']);
    return cluster;
  }

  /** Waits for a primary, which all standbys follow, one of them synchronously. Returns it. */
  async untilComplete(standbys = this.machines.length - 1): Promise<Machine> {
    return pollUntil(async () => {
      const primary = await this.primary();
      if (!primary) return false;
      const rows = await querySql(
        primary.superuserUrl,
        "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'",
      ).catch(() => []);
      return rows.length === standbys && rows.some(({ sync_state }) => sync_state === 'sync') && primary;
    }, 200);
  }

  async primary(): Promise<Machine | undefined> {
    const primaries = await this.primaries();
    return primaries.length === 1 ? primaries[0] : undefined;
  }

  async primaries(): Promise<Machine[]> {
    const answers = await Promise.all(this.machines.map((machine) => machine.isPrimary()));
    return this.machines.filter((_, index) => answers[index]);
  }

  /**
   * Puts the database back to a time, as docs/restore.md says.
   *
   * @param time as PostgreSQL writes it
   */
  async restoreTo(time: string): Promise<void> {
    const [first, ...others] = this.machines as readonly [Machine, ...Machine[]];
    for (const machine of this.machines) await machine.stopPatroni();
    await first.run('patronictl', ['remove', 'dues'], 'dues\nYes I am aware\n');
    for (const machine of this.machines) await machine.putDataAside();
    await first.restoreTo(time);
    await first.startPatroni();
    await pollUntil(() => first.isPrimary());
    for (const machine of others) await machine.startPatroni();
    await this.untilComplete();
  }

  async stop(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.signal('SIGKILL')));
    this.#haproxy.kill();
  }
}

async function startHaproxy(
  folder: string,
  ports: ReadonlyMap<string, number>,
  port: number,
): Promise<ChildProcess> {
  const file = join(folder, 'postgresql.cfg');
  const shipped = await readFile(`${ROOT}deploy/haproxy/postgresql.cfg`, 'utf8');
  // The machines have one address here, and differ in their ports.
  const servers = shipped.replaceAll(
    /"\$\{DUES_NODE\d-(10\.0\.0\.\d)\}:5432" check port 8008/g,
    (_, address) => `127.0.0.1:${ports.get(`${address}:5432`)} check port ${ports.get(`${address}:8008`)}`,
  );
  await writeFile(file, servers);
  const binary = findHaproxy();
  if (!binary) throw new Error('no HAProxy: apt-get install haproxy');
  const haproxy = spawn(binary, ['-f', file], {
    env: {
      PATH: process.env.PATH,
      DUES_POSTGRESQL: `127.0.0.1:${port}`,
      DUES_POSTGRESQL_HEALTH: `127.0.0.1:${await freePort()}`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  stopWithThisProcess(haproxy);
  return haproxy;
}

function adaptAddresses(text: string, ports: ReadonlyMap<string, number>): string {
  return text.replaceAll(/10\.0\.0\.\d:\d+/g, (address) => `127.0.0.1:${ports.get(address)}`);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function readShipped(file: string): Promise<string> {
  return readFile(`${ROOT}deploy/patroni/${file}`, 'utf8');
}
