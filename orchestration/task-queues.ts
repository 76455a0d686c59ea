/** Names on the Temporal side that gateway, worker and workflow agree on. */

/** Workflows and the activities that touch only our own parts. */
export const INTENTS_TASK_QUEUE = 'intents';

/** One activity queue per provider: bulkhead, rate limit, pause switch. */
export function providerTaskQueue(provider: string): string {
  return `provider.${provider}`;
}
