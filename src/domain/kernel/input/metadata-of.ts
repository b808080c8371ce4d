import type { Prisma } from '../../../generated/prisma/client.ts';

/** The checkout session's metadata, which every event about the subscription repeats. */
export function metadataOf({ metadata }: { readonly metadata: Prisma.JsonValue }): {
  [key: string]: unknown;
} {
  return metadata as Prisma.JsonObject;
}
