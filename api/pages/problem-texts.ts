/** For each problem: what happened, and what the caller should do. Shown where its `type` leads. */
import { type ProblemName } from '../problem';

interface ProblemText {
  readonly happened: string;
  readonly todo: string;
}

const REPEAT = 'Send the same request with the same Idempotency-Key again, after Retry-After.';

/** The texts; a problem without one does not compile. */
export const PROBLEM_TEXTS = {
  'malformed-request': {
    happened:
      'What arrived is not HTTP as the standard has it, or can be read in two ways: two lines of a header that must be one. It was not looked at further.',
    todo: 'Mend the client, or what stands between it and this service.',
  },
  'invalid-parameters': {
    happened:
      'The body or the query breaks a rule. `errors` names each fault by its place. Nothing was recorded.',
    todo: 'Correct what `errors` names. The same Idempotency-Key is still free.',
  },
  'invalid-idempotency-key': {
    happened:
      'The Idempotency-Key header is missing, given more than once, or not of the published grammar. Nothing was recorded.',
    todo: 'Send one key in one header line. A UUID, made once for each effect and kept with it, is the best choice.',
  },
  'notification-malformed': {
    happened:
      'A provider’s notification is signed as it should be, and still cannot be read. Nothing was stored.',
    todo: 'For whoever sends notifications: `detail` says what is missing. Sending the same again changes nothing.',
  },
  unauthenticated: {
    happened: 'The request has no token, or one that is unknown, revoked or past its time.',
    todo: 'Send Authorization: Bearer with a valid token. Repeats under a new token of the same tenant continue the same intents.',
  },
  'notification-not-proven': {
    happened:
      'The signature of a notification is missing, too old, or by somebody else. Nothing of it was read or stored.',
    todo: 'Compare the signing secret here with that of the provider, and the clocks of both.',
  },
  forbidden: {
    happened: 'The token is valid, but not for this: `detail` says which scope it lacks, or why.',
    todo: 'Use a token with that scope; what belongs to a tenant needs a token of the tenant.',
  },
  'not-found': {
    happened:
      'There is nothing at this path for this token. What belongs to another tenant looks the same.',
    todo: 'Check the id and the token.',
  },
  'method-not-allowed': {
    happened: 'The path exists and takes other methods.',
    todo: 'Use a method that the Allow header names.',
  },
  canceled: {
    happened: 'The intent was canceled, and it is proven that nothing is left of it.',
    todo: 'If the effect is wanted after all, ask for it under a new key: `verdict.new_key` is safe.',
  },
  'too-late': {
    happened: 'The intent has ended; a cancel or a decision changes nothing.',
    todo: 'Look at `intent`. What succeeded can be refunded.',
  },
  'decision-not-legal': {
    happened:
      'At this moment the decision may not be made or approved. It was kept for the record, without effect.',
    todo: '`detail` says why and what is legal; the explanation lists it under `allowed`. A new decision needs a new decision_id.',
  },
  'not-open': {
    happened:
      'An operator wanted to close a discrepancy, or an effect without an intent, that is not open: it was closed before, never was one, or another one is open by now. Nothing was recorded.',
    todo: '`detail` says which, and who closed it. Look at the intent anew before closing anything else.',
  },
  'look-up-not-possible': {
    happened:
      'An operator wanted the provider asked, and there is nothing to ask: nothing was sent, the intent has ended, the provider answers no questions, or no run is there to ask.',
    todo: '`detail` says which. The explanation shows the next step and what may be decided.',
  },
  'business-key-taken': {
    happened: 'Another live intent has this reference. Nothing was recorded for this request.',
    todo: 'Look at `intent`: it is probably the one you meant. Continue with its key, not with a new one.',
  },
  'refund-exceeds-charge': {
    happened:
      'The refunds of this charge together would be more than the charge. Pending and unknown ones count. Nothing was recorded.',
    todo: '`detail` says how much is left. The same Idempotency-Key is still free.',
  },
  'charge-not-refundable': {
    happened:
      'The charge, shown in `intent`, has not surely succeeded, or cannot be named to its provider. Nothing was recorded.',
    todo: '`detail` says why. Where the charge may still succeed, send the same request again later; the key is still free.',
  },
  'intent-expired': {
    happened:
      'The intent ended long ago. Its parameters are gone; its outcome is kept and shown in `intent`.',
    todo: 'Take the outcome from `intent`. The key stays used for ever.',
  },
  'request-timeout': {
    happened: 'Header fields or body took too long to arrive. Nothing was recorded.',
    todo: 'Send the same request with the same Idempotency-Key again.',
  },
  'content-too-large': {
    happened: 'The body is larger than 64 KiB. Nothing was recorded.',
    todo: 'Send less; large data belongs elsewhere, its name in `metadata`.',
  },
  'unsupported-media-type': {
    happened: 'The body is not plain application/json in UTF-8.',
    todo: 'Send Content-Type: application/json, without compression.',
  },
  'idempotency-key-reused': {
    happened:
      'The key names an intent with other parameters, shown in `intent`. Nothing was done for this request.',
    todo: 'Never use one key for two requests. If both effects are wanted, give the second a key of its own.',
  },
  'decision-id-reused': {
    happened: 'The decision_id stands for another decision. Nothing was decided.',
    todo: 'Look at the decisions in the explanation, and choose another id.',
  },
  'effect-rejected': {
    happened: 'The provider refused, with proof. Nothing was done.',
    todo: 'Read `intent.reason`. Another try needs a new key: `verdict.new_key` is safe.',
  },
  'effect-not-applied': {
    happened: 'It is proven that nothing was done, and the attempts are used up.',
    todo: 'Try again under a new key when the provider is well: `verdict.new_key` is safe.',
  },
  'rate-limited': {
    happened: 'The token made more requests than one process accepts of it. Nothing was recorded.',
    todo: REPEAT,
  },
  'header-fields-too-large': {
    happened: 'The header fields, the request line among them, are larger than 16 KiB.',
    todo: 'Send fewer or shorter header fields.',
  },
  'internal-error': {
    happened: 'A fault of ours. Whether the intent was recorded is not said.',
    todo: 'Send the same request with the same Idempotency-Key again; nothing can happen twice. Name X-Request-Id when you report it.',
  },
  'store-unavailable': {
    happened: 'The database cannot be used, so nothing new is accepted.',
    todo: `${REPEAT} Nothing can happen twice.`,
  },
  overloaded: {
    happened:
      'The process has more work than it can answer in time. It refused before it recorded anything.',
    todo: REPEAT,
  },
  'engine-unavailable': {
    happened:
      'The provider is asked by the worker, and it or Temporal did not answer in time. Whether the provider is being asked is not known.',
    todo: 'Ask again after Retry-After; it is harmless. Decisions are recorded without the two.',
  },
  'newer-version': {
    happened: 'The intent was recorded by a newer release than the process that was asked.',
    todo: `${REPEAT} Another process will answer.`,
  },
} as const satisfies Readonly<Record<ProblemName, ProblemText>>;
