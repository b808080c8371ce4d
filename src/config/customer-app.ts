import { z } from 'zod';
import { commaList } from './variable-kinds.ts';

/** The operator's mobile app for customers. */
export interface CustomerApp {
  /** Scheme of its deep links, for example `dues` in `dues://subscribe?sessionId=...`. */
  readonly scheme: string;
  /** The Android app that may open our https links. */
  readonly android?: { readonly packageName: string; readonly fingerprints: readonly string[] };
  /** The ids (team and bundle) of the iOS apps that may open our https links. */
  readonly appleIds: readonly string[];
}

/** The app if the configuration names none. */
export const DEFAULT_APP: CustomerApp = { scheme: 'dues', appleIds: [] };

const FINGERPRINT = /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/;
const APPLE_ID = /^[A-Z0-9]{10}\.[A-Za-z0-9.-]{1,155}$/;
const ANDROID_PACKAGE = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/;
const MAX_ENTRIES = 20;
const INCOMPLETE_ANDROID_APP = 'APP_ANDROID_PACKAGE and APP_ANDROID_FINGERPRINTS must be set together';

const listOf = (kind: RegExp, rule: string) =>
  commaList.refine(
    (texts) => texts.length <= MAX_ENTRIES && texts.every((text) => kind.test(text)),
    `must be at most ${MAX_ENTRIES} ${rule}, separated by commas`,
  );

export const appVariables = {
  APP_SCHEME: z
    .string()
    .regex(/^[a-z][a-z0-9+.-]{0,31}$/, 'must be a URL scheme of at most 32 characters, like dues')
    .optional(),
  APP_ANDROID_PACKAGE: z
    .string()
    .regex(ANDROID_PACKAGE, 'must be a package name like com.example.app')
    .optional(),
  APP_ANDROID_FINGERPRINTS: listOf(
    FINGERPRINT,
    'SHA-256 fingerprints of signing certificates, 32 bytes in upper-case hex with colons',
  ).optional(),
  APP_APPLE_IDS: listOf(APPLE_ID, 'app ids like ABCDE12345.com.example.app').optional(),
};

type Values = { [K in keyof typeof appVariables]?: z.infer<(typeof appVariables)[K]> };

/**
 * Reads the configured app; undefined if no variable names one. Problems are added to `problems`.
 */
export function readCustomerApp(values: Values, problems: string[]): CustomerApp | undefined {
  const { APP_SCHEME, APP_ANDROID_PACKAGE, APP_ANDROID_FINGERPRINTS = [], APP_APPLE_IDS = [] } = values;
  const hasFingerprints = APP_ANDROID_FINGERPRINTS.length > 0;
  if ((APP_ANDROID_PACKAGE !== undefined) !== hasFingerprints) problems.push(INCOMPLETE_ANDROID_APP);
  if (APP_SCHEME === undefined && !hasFingerprints && APP_APPLE_IDS.length === 0) return undefined;
  return {
    scheme: APP_SCHEME ?? DEFAULT_APP.scheme,
    ...(APP_ANDROID_PACKAGE !== undefined && {
      android: { packageName: APP_ANDROID_PACKAGE, fingerprints: APP_ANDROID_FINGERPRINTS },
    }),
    appleIds: APP_APPLE_IDS,
  };
}
