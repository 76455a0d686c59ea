// What a provider remembers under an Idempotency-Key: the first answer, for the contract's window.

import { type Answer } from './answer';
import { type ProviderContract } from './contract';
import { type CreateRequest, type KeyRecord } from './records';
import { type ProviderName } from './words';

interface Saved {
  readonly provider: ProviderName;
  readonly digest: string;
  readonly answer: Answer;
  readonly atMs: number;
}

/** Where a key's answer is kept: keys are separate per provider and path. */
export function keyAddress(request: CreateRequest): string | null {
  return request.key === null ? null : `${request.provider} ${request.path} ${request.key}`;
}

export class KeyMemory {
  readonly #saved = new Map<string, Saved>();
  readonly #forgetful = new Set<ProviderName>();

  /** Whether this request's key means anything to its provider just now. */
  honours(contract: ProviderContract, request: CreateRequest): boolean {
    return contract.key !== null && request.key !== null && !this.#forgetful.has(contract.name);
  }

  /** The answer saved under the request's key, if it is inside the window. */
  find(contract: ProviderContract, request: CreateRequest, nowMs: number): Saved | null {
    const address = keyAddress(request);
    if (address === null || contract.key === null || !this.honours(contract, request)) return null;
    const saved = this.#saved.get(address);
    return saved !== undefined && nowMs < saved.atMs + contract.key.windowMs ? saved : null;
  }

  apply(record: KeyRecord): void {
    switch (record.type) {
      case 'answer-saved':
        this.#saved.set(record.address, record);
        return;
      case 'keys-forgotten':
        this.#forgetful.add(record.provider);
        this.#drop(record.provider);
        return;
      case 'keys-honoured-again':
        this.#forgetful.clear();
    }
  }

  #drop(provider: ProviderName): void {
    for (const [address, saved] of this.#saved) {
      if (saved.provider === provider) this.#saved.delete(address);
    }
  }
}
