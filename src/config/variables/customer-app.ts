import { z } from 'zod';
import { commaList } from './kinds.ts';
import { notes } from './notes.ts';

const FINGERPRINT = /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/;
const APPLE_ID = /^[A-Z0-9]{10}\.[A-Za-z0-9.-]{1,155}$/;
const ANDROID_PACKAGE = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/;
const MAX_ENTRIES = 20;

const listOf = (kind: RegExp, rule: string) =>
  commaList.refine(
    (texts) => texts.length <= MAX_ENTRIES && texts.every((text) => kind.test(text)),
    `must be at most ${MAX_ENTRIES} ${rule}, separated by commas`,
  );

export const customerAppVariables = {
  APP_SCHEME: z
    .string()
    .regex(/^[a-z][a-z0-9+.-]{0,31}$/, 'must be a URL scheme of at most 32 characters, like dues')
    .optional()
    .register(notes, {
      text: 'The scheme of the deep links of the app for customers (docs/selling.md). Without an app, leave all variables of this group empty: the checkout page then offers none.',
    }),
  APP_ANDROID_PACKAGE: z
    .string()
    .regex(ANDROID_PACKAGE, 'must be a package name like com.example.app')
    .optional()
    .register(notes, { text: 'The Android app that may open links to checkouts.' }),
  APP_ANDROID_FINGERPRINTS: listOf(
    FINGERPRINT,
    'SHA-256 fingerprints of signing certificates, 32 bytes in upper-case hex with colons',
  )
    .optional()
    .register(notes, { text: 'The certificates with which the Android app is signed.' }),
  APP_APPLE_IDS: listOf(APPLE_ID, 'app ids like ABCDE12345.com.example.app')
    .optional()
    .register(notes, { text: 'The iOS apps that may open links to checkouts.' }),
};
