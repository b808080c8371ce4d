/** A manifest as its YAML says; only the parts that the rules read. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: every kind has a shape of its own
  readonly spec?: any;
  // biome-ignore lint/suspicious/noExplicitAny: a ConfigMap's data, for the same reason
  readonly data?: any;
}

/** The files of the Secret that a component must not mount. Workers may have all. */
const UNNEEDED: Readonly<Record<string, RegExp>> = {
  migrate: /^(?!(direct-)?database-url$)/,
  // An API that pays for customers without SOL signs too: then remove this line.
  api: /collector/,
  indexer: /collector|smtp/,
};
const DIGEST = /@sha256:[0-9a-f]{64}$/;
const PRIVATE_RANGE = /\b(10|172|192|fd[0-9a-f]{2})[.:].*\/\d+/;

/** What in the manifests is less safe than it must be, one line for each. */
export function problemsOf(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap((manifest) => {
    if (manifest.kind === 'ConfigMap') return proxyProblems(manifest);
    const pod = manifest.spec?.template?.spec;
    return pod ? [...imageProblems(manifest, pod), ...secretProblems(manifest, pod)] : [];
  });
}

function proxyProblems({ metadata, data }: Manifest): string[] {
  const proxies = String(data?.TRUSTED_PROXIES ?? '');
  if (!PRIVATE_RANGE.test(proxies)) return [];
  return [`${metadata.name}: TRUSTED_PROXIES must name your proxies, not a whole private range: ${proxies}`];
}

// biome-ignore lint/suspicious/noExplicitAny: see `Manifest`
function imageProblems({ metadata }: Manifest, pod: any): string[] {
  return pod.containers
    .filter(({ image }: { image: string }) => !DIGEST.test(image))
    .map(({ image }: { image: string }) => `${metadata.name}: name ${image} by its digest (@sha256:...)`);
}

// biome-ignore lint/suspicious/noExplicitAny: see `Manifest`
function secretProblems({ metadata }: Manifest, pod: any): string[] {
  const unneeded = UNNEEDED[metadata.name.replace(/^dues-/, '')];
  const secret = pod.volumes?.find(({ name }: { name: string }) => name === 'secrets')?.secret;
  const items = secret?.items?.map(({ key }: { key: string }) => key);
  if (!items) return [`${metadata.name}: list the items of the Secret that it mounts`];
  return items
    .filter((key: string) => unneeded?.test(key))
    .map((key: string) => `${metadata.name}: does not need ${key}`);
}
