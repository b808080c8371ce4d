import type { Config } from '../config.ts';
import { canSign } from './collector-source.ts';
import { ConfigError } from './config-error.ts';
import type { Role } from './role.ts';

/**
 * Checks that these roles have the collectors' keys, if they sign: workers always, an API where it
 * pays for customers without SOL.
 *
 * @throws ConfigError that names the environment
 */
export function assertCanSign({ clusters }: Pick<Config, 'clusters'>, roles: readonly Role[]): void {
  for (const [environment, cluster] of Object.entries(clusters)) {
    const signs =
      roles.includes('worker') || (roles.includes('api') && cluster.maxSponsoredLamportsPerDay > 0n);
    const sources = [cluster.collectorKey, cluster.previousCollectorKey ?? cluster.collectorKey];
    if (!signs || sources.every(canSign)) continue;
    throw new ConfigError(
      `${environment}_COLLECTOR_ADDRESS is not enough for this role, which signs: set ${environment}_COLLECTOR_KEY, ${environment}_COLLECTOR_KEY_FILE or ${environment}_COLLECTOR_SIGNER_URL`,
    );
  }
}
