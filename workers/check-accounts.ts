/**
 * Asks each provider whose credentials this worker has, before it takes work. A new key of another account
 * beside the old name would send for intents that the first account may have done already.
 */
import { type Logger } from 'pino';
import { ConfigurationError } from '../config/environment';
import { type Providers } from '../providers/registry';

const ANSWER_WITHIN_MS = 5_000;

/** Throws ConfigurationError where one is of another account; what cannot be found out is logged. */
export async function checkAccounts(providers: Providers, logger: Logger): Promise<void> {
  const checks = await Promise.all(
    [...providers.values()].map(async (provider) => ({
      name: provider.name,
      found: await provider.checkAccount?.(performance.now() + ANSWER_WITHIN_MS),
    })),
  );
  const wrong: string[] = [];
  for (const { name, found } of checks) {
    if (found?.kind === 'other') wrong.push(`${name}: ${found.why}.`);
    if (found?.kind === 'unknown') {
      logger.warn({ provider: name, why: found.why }, 'whose credentials these are is not known');
    }
  }
  if (wrong.length > 0) throw new ConfigurationError(wrong.join('\n'));
}
