/**
 * The gateway that operators' commands speak to, and as whom. The token comes from the environment
 * alone: arguments are shown in lists of processes and kept in shells' histories.
 */
import { Client } from '../../client/client';
import { ConfigurationError, required } from '../../config/environment';

/** RFC 6750, 2.1. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** A person waits at the screen: three tries, then they decide what to do. */
const PATIENCE = {
  answerWithinMs: 15_000,
  resending: { tries: 3, firstPauseMs: 250, longestPauseMs: 1_000 },
};

/** Reads the two variables. Throws ConfigurationError. */
export function openGateway(env: Readonly<Record<string, string | undefined>>): {
  readonly client: Client;
  readonly address: string;
} {
  const address = required(env, 'RESOLUTE_API_URL');
  const token = required(env, 'RESOLUTE_OPERATOR_TOKEN');
  if (!isAddress(address)) {
    throw new ConfigurationError(
      'RESOLUTE_API_URL is not an address: http:// or https://, without a user or a query.',
    );
  }
  // The text is not repeated: it may be a secret of something else.
  if (!TOKEN.test(token)) throw new ConfigurationError('RESOLUTE_OPERATOR_TOKEN is not a token.');
  return { client: new Client({ baseUrl: address, token, ...PATIENCE }), address };
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username + password + search + hash === '';
}
