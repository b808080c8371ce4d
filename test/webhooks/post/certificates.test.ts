import { once } from 'node:events';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connections } from '../../../src/domain/messages/webhook/post/connections.ts';
import { postWebhook } from '../../../src/domain/messages/webhook/post/post-webhook.ts';
import { type Certified, newAuthority, newCertificate } from './certificates.ts';

const trusted = newAuthority('A trusted authority');
const unknown = newAuthority('An unknown authority');
const host = 'localhost';
const connections = new Connections();
let received = 0;
let stop: () => Promise<void>;

beforeAll(() => setDefaultCACertificates([...getCACertificates('default'), trusted.cert]));
afterEach(() => stop());
afterAll(() => connections.close());

async function postTo(certified: Certified) {
  received = 0;
  const server = createServer(certified, (_, response) => {
    received++;
    response.end();
  });
  // The error that the client reports for the certificate.
  server.on('tlsClientError', () => undefined).listen(0, host);
  await once(server, 'listening');
  stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const { port } = server.address() as { port: number };
  return postWebhook(connections, {
    url: `https://${host}:${port}/`,
    environment: 'LIVE',
    headers: {},
    body: '{}',
    hostsAllowed: [host],
    timeoutMs: 5000,
  });
}

describe('a receiver over TLS', () => {
  it('receives if its certificate is valid', async () => {
    expect(await postTo(newCertificate({ host, issuer: trusted }))).toMatchObject({
      statusCode: 200,
      error: null,
    });
    expect(received).toBe(1);
  });

  it.each([
    ['has expired', newCertificate({ host, issuer: trusted, until: -0.5 }), 'the certificate has expired'],
    [
      'begins later',
      newCertificate({ host, issuer: trusted, from: 0.5 }),
      'the certificate is not valid yet',
    ],
    ['is self-signed', newCertificate({ host }), 'the certificate is self-signed'],
    [
      'is from an unknown authority',
      newCertificate({ host, issuer: unknown }),
      'the certificate is signed by an unknown authority',
    ],
    [
      'lacks an intermediate certificate',
      newCertificate({ host, issuer: { ...unknown, cert: '' } }),
      'a certificate is missing between yours and the authority',
    ],
    [
      'is for another host',
      newCertificate({ host: 'other.example', issuer: trusted }),
      'the certificate is for another host name',
    ],
  ])(
    'receives nothing if its certificate %s, and the merchant reads the reason',
    async (_, certified, problem) => {
      expect(await postTo(certified)).toMatchObject({ statusCode: null, error: `TLS: ${problem}` });
      expect(received).toBe(0);
    },
  );
});
