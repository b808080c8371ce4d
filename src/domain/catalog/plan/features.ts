import { invalidRequest } from '../../../errors.ts';

/** What a plan's subscribers may use, by key: `true`, or a limit like the number of seats. */
export type Features = Readonly<Record<string, true | number>>;

/** A feature as it is given. */
export interface Feature {
  /** Chosen by the merchant. */
  readonly key: string;
  /** Null for a feature without a limit. */
  readonly limit?: number | null | undefined;
}

/** Maximum features of a plan. */
export const MAX_FEATURES = 50;
const KEY = /^[a-z0-9][a-z0-9_.-]{0,39}$/;

/**
 * Validates the features of a plan: at most `MAX_FEATURES`, each key once.
 *
 * @throws BillingError invalid_request, param `features`
 */
export function validFeatures(features: readonly Feature[]): Feature[] {
  const param = 'features';
  if (features.length > MAX_FEATURES) {
    throw invalidRequest(param, `features are ${features.length}, and must be at most ${MAX_FEATURES}.`);
  }
  const keys = new Set<string>();
  for (const { key, limit } of features) {
    if (!KEY.test(key)) {
      throw invalidRequest(
        param,
        `The key ${JSON.stringify(key.slice(0, 60))} of a feature must be 1 to 40 characters: lower-case letters, digits, and after the first one also "_", "." and "-".`,
      );
    }
    if (keys.has(key)) throw invalidRequest(param, `The feature ${key} is given twice.`);
    if (limit != null && (!Number.isSafeInteger(limit) || limit < 0)) {
      throw invalidRequest(
        param,
        `The limit of ${key} is ${limit}, and must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`,
      );
    }
    keys.add(key);
  }
  return features.map(({ key, limit = null }) => ({ key, limit }));
}

/** Features as columns of "PlanFeature". */
export function featureRows(features: readonly Feature[]): { key: string; limit: bigint | null }[] {
  return features.map(({ key, limit }) => ({ key, limit: limit == null ? null : BigInt(limit) }));
}

/** Features for the audit log: `export, seats 5`. */
export function featuresText(
  features: readonly { readonly key: string; readonly limit?: number | bigint | null | undefined }[],
): string {
  return [...features]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, limit }) => (limit == null ? key : `${key} ${limit}`))
    .join(', ');
}

/**
 * What several plans allow together. A feature without a limit counts more than one with a limit, and the
 * highest limit counts.
 */
export function joinFeatures(all: readonly Features[]): Features {
  const joined = new Map<string, true | number>();
  for (const features of all) {
    for (const [key, value] of Object.entries(features)) {
      const other = joined.get(key);
      const isLess = other === true || (typeof other === 'number' && value !== true && other >= value);
      if (!isLess) joined.set(key, value);
    }
  }
  return Object.fromEntries([...joined].sort(([a], [b]) => (a < b ? -1 : 1)));
}
