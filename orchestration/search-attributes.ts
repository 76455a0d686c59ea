/** The search attributes by which operators find intents; never personal data. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const INTENT_STATUS = defineSearchAttributeKey('IntentStatus', SearchAttributeType.KEYWORD);
export const INTENT_TENANT = defineSearchAttributeKey('IntentTenant', SearchAttributeType.KEYWORD);
export const INTENT_OPERATION = defineSearchAttributeKey(
  'IntentOperation',
  SearchAttributeType.KEYWORD,
);
export const INTENT_PROVIDER = defineSearchAttributeKey(
  'IntentProvider',
  SearchAttributeType.KEYWORD,
);
/** Set only while a person should look: `unknown`, `review`, `proposal` or `cancel`. */
export const INTENT_ATTENTION = defineSearchAttributeKey(
  'IntentAttention',
  SearchAttributeType.KEYWORD,
);
export const INTENT_UNKNOWN_SINCE = defineSearchAttributeKey(
  'IntentUnknownSince',
  SearchAttributeType.DATETIME,
);
