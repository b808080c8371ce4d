import type { SignInInput } from './wallet-standard.ts';

/** The text that is signed for a sign-in: https://github.com/phantom/sign-in-with-solana. */
export function signInMessage(input: SignInInput, address: string): string {
  const optional: [string, string | undefined][] = [
    ['URI', input.uri],
    ['Version', input.version],
    ['Chain ID', input.chainId],
    ['Nonce', input.nonce],
    ['Issued At', input.issuedAt],
    ['Expiration Time', input.expirationTime],
    ['Not Before', input.notBefore],
    ['Request ID', input.requestId],
  ];
  const fields = optional.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
  if (input.resources) fields.push('Resources:', ...input.resources.map((resource) => `- ${resource}`));
  return [
    `${input.domain ?? location.host} wants you to sign in with your Solana account:`,
    address,
    ...(input.statement ? ['', input.statement] : []),
    ...(fields.length > 0 ? ['', ...fields] : []),
  ].join('\n');
}
