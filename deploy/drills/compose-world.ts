import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FILE_VARIABLES } from '../../src/config/variables/groups.ts';
import { freePort } from '../../src/postgres/free-port.ts';
import { answersOk } from '../../tools/answers-ok.ts';
import { temporaryFolder } from '../../tools/temporary-folder.ts';
import { type DuesService, ROOT, servicesOf } from './compose-file.ts';
import { type Store, startDebianPostgres, startDebianRedis } from './stores.ts';

const HEALTHY_WITHIN_MS = 120_000;
const UID = 10_001;
export const THIS_CHECKOUT = { kind: 'checkout', folder: ROOT.replace(/\/$/, '') } as const;

/** Where the services run: in a checkout with its dependencies, or in the images' root folders. */
export type Runner =
  | { readonly kind: 'checkout'; readonly folder: string }
  | { readonly kind: 'image'; readonly production: string; readonly local: string | undefined };

/** One running process of a service. */
export interface Running {
  readonly name: string;
  readonly url: string;
  readonly metricsUrl: string;
  readonly output: () => string;
  readonly process: ChildProcess;
  /** Sends SIGTERM. */
  stop(): Promise<{ readonly code: number | null; readonly seconds: number }>;
}

/**
 * Runs the services of compose.yaml as processes of this machine, with Debian's PostgreSQL and
 * Redis. Replaces host names and mounted folders. Each process has its own ports.
 */
export class ComposeWorld {
  readonly folder: string;
  readonly secrets: string;
  readonly #services: readonly DuesService[];
  readonly #runner: Runner;
  readonly #hosts: Readonly<Record<string, string>>;
  readonly #apiPort: number;
  readonly #networkPorts: readonly [number, number, number];
  readonly #running: Running[] = [];

  private constructor(
    paths: { folder: string; secrets: string; hosts: Record<string, string> },
    runner: Runner,
    services: readonly DuesService[],
    ports: { readonly api: number; readonly network: readonly [number, number, number] },
  ) {
    ({ folder: this.folder, secrets: this.secrets, hosts: this.#hosts } = paths);
    this.#runner = runner;
    this.#services = services;
    this.#apiPort = ports.api;
    this.#networkPorts = ports.network;
  }

  /**
   * Creates the secrets, starts the stores, and migrates.
   *
   * @param startPostgres starts a PostgreSQL with the database and the user dues, in a folder that
   *   every user may enter
   */
  static async start(
    closing: AsyncDisposableStack,
    runner: Runner,
    startPostgres: (folder: string, passwordFile: string) => Promise<Store> = startDebianPostgres,
  ): Promise<ComposeWorld> {
    const folder = await temporaryFolder(closing, 'dues-compose-');
    const secrets = join(folder, 'secrets');
    const data = join(folder, 'data');
    for (const mounted of [secrets, data]) {
      await mkdir(mounted);
      if (userInfo().uid === 0) await chown(mounted, UID, UID);
    }
    const ports = {
      api: await freePort(),
      network: [await freePort(), await freePort(), await freePort()] as const,
    };
    const hosts: Record<string, string> = {
      'localnet:8899': `127.0.0.1:${ports.network[0]}`,
      '127.0.0.1:8899': `127.0.0.1:${ports.network[0]}`,
      'localnet:10000': `127.0.0.1:${ports.network[2]}`,
      '127.0.0.1:3000': `127.0.0.1:${ports.api}`,
    };
    const world = new ComposeWorld({ folder, secrets, hosts }, runner, await servicesOf({}), ports);
    // The secrets name the hosts of compose.yaml until the ports of the stores are known.
    await world.run('secrets', undefined, runner.kind === 'image' ? runner : THIS_CHECKOUT);
    const postgres = await startPostgres(folder, join(secrets, 'postgres/password'));
    closing.defer(() => postgres.stop());
    const redisPassword = await readFile(join(secrets, 'redis/password'), 'utf8');
    const redis = await startDebianRedis(folder, secrets, redisPassword);
    closing.defer(() => redis.stop());
    await world.replaceSecret('database/url', 'postgres:5432', `127.0.0.1:${postgres.port}`);
    await world.replaceSecret('roles/redis-url', 'redis:6379', `127.0.0.1:${redis.port}`);
    closing.defer(() => world.#kill());
    await world.run('migrate');
    return world;
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.#apiPort}`;
  }

  get network(): { readonly rpcUrl: string; readonly webSocketUrl: string } {
    const [rpc, webSocket] = this.#networkPorts;
    return { rpcUrl: `http://127.0.0.1:${rpc}`, webSocketUrl: `ws://127.0.0.1:${webSocket}` };
  }

  /** The URL of the database, as this process sees it. */
  async databaseUrl(): Promise<string> {
    return (await readFile(join(this.secrets, 'database/url'), 'utf8')).trim();
  }

  async replaceSecret(name: string, from: string | RegExp, to: string): Promise<void> {
    const file = join(this.secrets, name);
    const text = (await readFile(file, 'utf8')).replace(from, to);
    await rm(file);
    await writeFile(file, text, { mode: 0o400 });
    if (userInfo().uid === 0) await chown(file, UID, UID);
  }

  /** The variables of a service, for a process that sees this machine's folders. */
  variablesOf(name: string): Record<string, string> {
    return this.#adaptVariables(this.#findService(name), THIS_CHECKOUT);
  }

  /**
   * Runs a service, or another command with its variables, and waits for its end.
   *
   * @throws with its output
   */
  async run(name: string, argv?: readonly string[], runner = this.#runner): Promise<string> {
    const service = this.#findService(name);
    const child = this.#spawn(service, argv ?? service.argv, {}, runner);
    const output = outputOf(child);
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${name} ${argv?.join(' ') ?? ''} ended with ${code}: ${output()}`);
    return output();
  }

  /** Starts a role or the local network. `runner` may be another release. */
  async start(name: string, { port = this.#apiPort, runner = this.#runner } = {}): Promise<Running> {
    const service = this.#findService(name);
    const metricsPort = await freePort();
    const networkPorts = ['--rpc-port', '--ws-port', '--yellowstone-port'].flatMap((flag, index) => [
      flag,
      String(this.#networkPorts[index]),
    ]);
    const argv = name === 'localnet' ? [...service.argv, ...networkPorts] : service.argv;
    const ports = { PORT: String(port), METRICS_PORT: String(metricsPort), METRICS_HOST: '127.0.0.1' };
    const child = this.#spawn(service, argv, ports, runner);
    const output = outputOf(child);
    const running: Running = {
      name,
      url: `http://127.0.0.1:${port}`,
      metricsUrl: `http://127.0.0.1:${metricsPort}`,
      output,
      process: child,
      stop: async () => {
        const startedAt = performance.now();
        const closed = once(child, 'close');
        child.kill('SIGTERM');
        const [code] = await closed;
        return { code, seconds: (performance.now() - startedAt) / 1000 };
      },
    };
    this.#running.push(running);
    return running;
  }

  /** Waits until the health check passes. @throws with the output if it ends or takes too long */
  async healthy({ name, metricsUrl, output, process }: Running): Promise<void> {
    const url = name === 'localnet' ? `${this.network.rpcUrl}/health` : `${metricsUrl}/health/ready`;
    const deadline = performance.now() + HEALTHY_WITHIN_MS;
    for (;;) {
      if (await answersOk(url)) return;
      if (process.exitCode !== null || performance.now() > deadline)
        throw new Error(`${name} is not healthy: ${output()}`);
      await wait(50);
    }
  }

  /** The errors that the processes have logged. */
  errors(): string {
    const lines = this.#running.flatMap((running) => running.output().split('\n'));
    return lines.filter((line) => /"level":(50|60|"error"|"fatal")/.test(line)).join('\n');
  }

  #findService(name: string): DuesService {
    const found = this.#services.find((service) => service.name === name);
    if (!found) throw new Error(`compose.yaml has no service ${name}`);
    return found;
  }

  /** A service's variables with the hosts and folders of this machine. */
  #adaptVariables(service: DuesService, runner: Runner): Record<string, string> {
    // Releases before 0.2.0 read no secrets from files, and each role needs the collector's key.
    const isOlder = runner.kind === 'checkout' && runner.folder !== THIS_CHECKOUT.folder;
    const { env } = isOlder ? this.#findService('worker') : service;
    const adapted = Object.entries(env).map(([key, value]) => [key, this.#adaptText(value, runner)] as const);
    return {
      ...Object.fromEntries(isOlder ? adapted.map(readSecretFile) : adapted),
      WEBHOOK_HOSTS_ALLOWED: '127.0.0.1',
      HOST: '127.0.0.1',
    };
  }

  #adaptText(text: string, runner: Runner): string {
    let adapted = text;
    for (const [from, to] of Object.entries(this.#hosts)) adapted = adapted.replaceAll(from, to);
    if (runner.kind === 'image') return adapted;
    return adapted
      .replaceAll('/run/dues', this.secrets)
      .replaceAll(/^\/data\b/g, join(this.folder, 'data'))
      .replaceAll('/app/', `${runner.folder}/`);
  }

  #spawn(
    service: DuesService,
    command: readonly string[],
    overrides: Record<string, string>,
    runner: Runner,
  ): ChildProcess {
    const isLocal = service.name === 'localnet';
    const image = runner.kind === 'image' ? (isLocal ? runner.local : runner.production) : undefined;
    if (runner.kind === 'image' && image === undefined) {
      return this.#spawn(service, command, overrides, THIS_CHECKOUT);
    }
    const argv = command.map((argument) => this.#adaptText(argument, runner));
    const env = { NO_COLOR: '1', ...this.#adaptVariables(service, runner), ...overrides };
    const stdio = ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'];
    if (runner.kind === 'image') {
      const volumes = [this.secrets, '/run/dues', join(this.folder, 'data'), '/data'];
      return spawn(`${ROOT}.ci/in-image`, [image ?? '', ...volumes, ...argv], {
        env: { ...env, PATH: process.env.PATH },
        stdio,
      });
    }
    const [program = '', ...nodeScript] = argv;
    const quiet = ['--disable-warning=ExperimentalWarning'];
    const nodeArguments =
      program === 'node'
        ? [...quiet, ...nodeScript]
        : [...quiet, join(runner.folder, 'bin/dues.ts'), ...argv];
    return spawn(process.execPath, nodeArguments, {
      env: { ...env, PATH: process.env.PATH },
      cwd: this.folder,
      stdio,
    });
  }

  async #kill(): Promise<void> {
    const alive = this.#running.filter(
      ({ process }) => process.exitCode === null && process.signalCode === null,
    );
    await Promise.all(
      alive.map(async ({ process }) => {
        const closed = once(process, 'close');
        process.kill('SIGKILL');
        await closed;
      }),
    );
  }
}

function readSecretFile([key, value]: readonly [string, string]): readonly [string, string] {
  const name = key.replace(/_FILE$/, '');
  return key !== name && FILE_VARIABLES.includes(name)
    ? [name, readFileSync(value, 'utf8').trim()]
    : [key, value];
}

function outputOf(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
    });
  }
  return () => output;
}
