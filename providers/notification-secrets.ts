/**
 * The secrets that prove notifications. Only the gateway reads them, since only it takes notifications
 * in: a worker that could verify them could also sign them.
 */
import { optional } from '../config/environment';

/** By provider; several of a rotation as each adapter separates them. Empty or absent: none. */
export interface NotificationSecrets {
  readonly simulator?: string;
  readonly stripe?: string;
}

/** Reads those that are configured. */
export function readNotificationSecrets(env: NodeJS.ProcessEnv): NotificationSecrets {
  return {
    simulator: optional(env, 'RESOLUTE_SIMULATOR_SIGNING_SECRET', ''),
    stripe: optional(env, 'STRIPE_WEBHOOK_SECRET', ''),
  };
}
