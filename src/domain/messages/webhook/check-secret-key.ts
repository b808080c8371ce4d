import type { AppContext } from '../../../app.ts';
import { decryptSecret } from '../../../secrets.ts';

/**
 * Logs an error if the newest endpoint's secret cannot be decrypted: `SECRET_KEY` has then changed,
 * so no API key is recognised and no webhook can be signed. The process starts anyway, because a
 * stolen or lost key is replaced on purpose.
 */
export async function checkSecretKey({
  db,
  config,
  log,
}: Pick<AppContext, 'db' | 'config' | 'log'>): Promise<void> {
  const newest = await db.webhookEndpoint.findFirst({
    // The secrets of deleted endpoints are gone.
    where: { status: { not: 'DELETED' } },
    orderBy: { id: 'desc' },
    select: { encryptedSecret: true },
  });
  if (!newest) return;
  try {
    decryptSecret(config.secretKey, newest.encryptedSecret);
  } catch (err) {
    log.error({ err }, 'SECRET_KEY differs from before: API keys and webhook secrets cannot be used');
  }
}
