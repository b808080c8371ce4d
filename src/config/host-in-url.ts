/** A host as it is written in a URL or before a port: an IPv6 address has brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
