/** The workflows that a worker registers. */
export { auditor } from './auditor';
export { reconciler } from './reconciler';
export { retention } from './retention';
export { settleIntent } from './settle-intent';
