import { apiAccessVariables } from './api-access.ts';
import { clusterVariables, nodeVariables } from './cluster.ts';
import { collectorVariables, previousCollectorVariables } from './collector.ts';
import { customerAppVariables } from './customer-app.ts';
import { mailVariables } from './mail.ts';
import { notes, type Shape } from './notes.ts';
import { operationsVariables } from './operations.ts';
import { redisVariables } from './redis.ts';
import { retentionVariables } from './retention.ts';
import { databaseVariables, serverVariables } from './server.ts';

interface Group {
  readonly title: string;
  readonly shape: Shape;
}

const group = (title: string, shape: Shape): Group => ({ title, shape });

function withPrefix(prefix: string, shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [`${prefix}${name}`, schema]));
}

/** The variables of an environment's cluster, by their whole names. */
export function variablesOfCluster(environment: string): Shape {
  return withPrefix(`${environment}_`, {
    ...nodeVariables,
    ...clusterVariables,
    ...withPrefix('COLLECTOR_', collectorVariables),
    ...withPrefix('COLLECTOR_PREVIOUS_', previousCollectorVariables),
  });
}

/** Every variable that dues reads, in the order in which they are described. */
export const VARIABLE_GROUPS: readonly Group[] = [
  group('Database', databaseVariables),
  group('Redis', redisVariables),
  group('Server', serverVariables),
  group('Mail', mailVariables),
  group('Retention', retentionVariables),
  group('Operations', operationsVariables),
  group('The app for customers', customerAppVariables),
  group('The test environment (Devnet)', variablesOfCluster('TEST')),
  group('The live environment (Mainnet)', variablesOfCluster('LIVE')),
  group("A merchant's developer, who needs none of the other variables", apiAccessVariables),
];

const VARIABLES = VARIABLE_GROUPS.flatMap(({ shape }) => Object.entries(shape));

/**
 * Variables whose value may be read from a file: `<name>_FILE` is its path. They are the secrets
 * (the URLs of nodes and signers often contain a key), and the collectors' addresses: these are
 * public, but what creates a key can write its address next to it.
 */
export const FILE_VARIABLES: readonly string[] = VARIABLES.filter(
  ([, schema]) => notes.get(schema)?.mayBeFile,
).map(([name]) => name);

/** The names of all variables, also of those that name a file. */
export const VARIABLE_NAMES: ReadonlySet<string> = new Set([
  ...VARIABLES.map(([name]) => name),
  ...FILE_VARIABLES.map((name) => `${name}_FILE`),
]);
