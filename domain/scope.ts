/** The permissions that tokens hold and operations ask for: one list, in one place. */

/** What a tenant's token may be made for. */
export const TENANT_SCOPES = ['charge', 'refund', 'message', 'read', 'cancel'] as const;

/** A permission; `operate` is an operator's, who belongs to no tenant. */
export type Scope = (typeof TENANT_SCOPES)[number] | 'operate';
