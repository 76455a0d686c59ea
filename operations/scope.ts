/** The permissions that operations ask for; a token holds a list of them. */
export type Scope = 'charge' | 'refund';
