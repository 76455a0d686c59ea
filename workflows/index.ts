/** The workflows that a worker registers. */
export { auditor } from './auditor';
export { settleIntent } from './settle-intent';
