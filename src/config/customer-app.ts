import type { VariableReader } from './variable-reader.ts';
import { customerAppVariables } from './variables/customer-app.ts';

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

const INCOMPLETE_ANDROID_APP = 'APP_ANDROID_PACKAGE and APP_ANDROID_FINGERPRINTS must be set together';

/** Reads the configured app; undefined if no variable names one or a variable is wrong. */
export function readCustomerApp(reader: VariableReader): CustomerApp | undefined {
  const values = reader.read(customerAppVariables);
  if (!values) return undefined;
  const { APP_SCHEME, APP_ANDROID_PACKAGE, APP_ANDROID_FINGERPRINTS = [], APP_APPLE_IDS = [] } = values;
  const hasFingerprints = APP_ANDROID_FINGERPRINTS.length > 0;
  if ((APP_ANDROID_PACKAGE !== undefined) !== hasFingerprints) reader.report(INCOMPLETE_ANDROID_APP);
  if (APP_SCHEME === undefined && !hasFingerprints && APP_APPLE_IDS.length === 0) return undefined;
  return {
    scheme: APP_SCHEME ?? DEFAULT_APP.scheme,
    ...(APP_ANDROID_PACKAGE !== undefined && {
      android: { packageName: APP_ANDROID_PACKAGE, fingerprints: APP_ANDROID_FINGERPRINTS },
    }),
    appleIds: APP_APPLE_IDS,
  };
}
