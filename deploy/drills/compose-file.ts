import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A service of compose.yaml that runs dues. */
export interface DuesService {
  readonly name: string;
  /** Arguments of `dues`, or `node` with a script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly profiles: readonly string[];
}

interface Service {
  readonly image: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly env_file?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly profiles?: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

async function readServices(variables: Variables): Promise<Readonly<Record<string, Service>>> {
  const text = await readFile(`${ROOT}compose.yaml`, 'utf8');
  const expanded = text.replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name, value) => variables[name] || value);
  return parse(expanded, { merge: true }).services;
}

/** The services that run dues, with the variables that Compose would give them. */
export async function servicesOf(variables: Variables): Promise<DuesService[]> {
  const services = Object.entries(await readServices(variables));
  return Promise.all(
    services
      .filter(([, { image }]) => image.startsWith('dues:'))
      .map(async ([name, { entrypoint = [], command = [], env_file = [], environment, profiles = [] }]) => {
        const files = await Promise.all(env_file.map((path) => readFile(`${ROOT}${path}`, 'utf8')));
        const fromFiles = [...files.join('\n').matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [
          key,
          value,
        ]);
        const fromService = Object.entries(environment ?? {}).map(([key, value]) => [key, String(value)]);
        return {
          name,
          argv: [...entrypoint, ...command],
          env: Object.fromEntries([...fromFiles, ...fromService]),
          profiles,
        };
      }),
  );
}

/** The command of a service that does not run dues: PostgreSQL or Redis. */
export async function storeCommand(name: 'postgres' | 'redis'): Promise<readonly string[]> {
  return (await readServices({}))[name]?.command ?? [];
}
