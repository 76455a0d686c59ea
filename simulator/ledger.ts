// The oracle: every effect that exists and every call that was received, in order of arrival.
// Indexes are kept by record, so no call on the providers' face ever walks the ledger.

import { type Call, type Effect, type LedgerRecord } from './records';
import { type CallKind, type EffectKind, type ProviderName } from './words';

/** Lines of one filter value, in order of arrival. */
interface Lines {
  readonly effects: Effect[];
  readonly calls: Call[];
}

/** Narrows the ledger; `reference` also finds the refunds and voids of the charge it names. */
interface LedgerFilter {
  readonly source?: string | undefined;
  readonly reference?: string | undefined;
  readonly key?: string | undefined;
  readonly provider?: string | undefined;
}

export class Ledger {
  readonly #all: Lines = { effects: [], calls: [] };
  readonly #byId = new Map<string, Effect>();
  readonly #byReference = new Map<string, Effect[]>();
  readonly #lastCall = new Map<string, Call>();
  readonly #shelves = new Map<string, Lines>();

  /** The effect with this id at this provider: ids of other providers are unknown here. */
  find(provider: ProviderName, id: string): Effect | null {
    const effect = this.#byId.get(id);
    return effect?.provider === provider ? effect : null;
  }

  findAnywhere(id: string): Effect | null {
    return this.#byId.get(id) ?? null;
  }

  /** All effects of a kind under a reference, declined ones included, oldest first. */
  named(provider: ProviderName, kind: EffectKind, reference: string): readonly Effect[] {
    return this.#byReference.get(address(provider, kind, reference)) ?? [];
  }

  /** The effects of a provider created from `atMs` on, declined ones included, oldest first. */
  *since(provider: ProviderName, atMs: number): Iterable<Effect> {
    const { effects } = this.#shelf(`provider ${provider}`);
    let low = 0;
    for (let high = effects.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((effects[middle]?.createdAtMs ?? atMs) < atMs) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < effects.length; at += 1) {
      const effect = effects[at];
      if (effect !== undefined) yield effect;
    }
  }

  /** The latest request under a reference, whatever came of it. */
  lastCall(provider: ProviderName, call: CallKind, reference: string): Call | null {
    return this.#lastCall.get(address(provider, call, reference)) ?? null;
  }

  /** The lines that fit; declined charges and refunds are no effects and are left out. */
  read(filter: LedgerFilter): Lines {
    // The first filter picks a shelf; provider comes last, since its shelves are the longest.
    const first = (['source', 'reference', 'key', 'provider'] as const).find(
      (name) => filter[name] !== undefined,
    );
    const lines = first === undefined ? this.#all : this.#shelf(`${first} ${filter[first] ?? ''}`);
    return {
      effects: lines.effects.filter((line) => line.status !== 'declined' && fits(line, filter)),
      calls: lines.calls.filter((line) => fits(line, filter)),
    };
  }

  apply(record: LedgerRecord): void {
    switch (record.type) {
      case 'call':
        this.#keepCall(record.call);
        return;
      case 'effect':
        this.#keepEffect({ ...record.effect });
        return;
      case 'effect-changed': {
        const effect = this.#byId.get(record.id);
        if (effect === undefined) throw new Error(`no effect ${record.id}`);
        Object.assign(effect, record.change);
      }
    }
  }

  #keepCall(call: Call): void {
    this.#all.calls.push(call);
    for (const shelf of this.#shelvesOf(call)) shelf.calls.push(call);
    if (call.reference === null || call.call === 'query' || call.behaviour === 'invalid') return;
    this.#lastCall.set(address(call.provider, call.call, call.reference), call);
  }

  #keepEffect(effect: Effect): void {
    this.#all.effects.push(effect);
    this.#byId.set(effect.id, effect);
    for (const shelf of this.#shelvesOf(effect)) shelf.effects.push(effect);
    if (effect.reference === null) return;
    const place = address(effect.provider, effect.kind, effect.reference);
    const named = this.#byReference.get(place);
    if (named === undefined) this.#byReference.set(place, [effect]);
    else named.push(effect);
  }

  #shelvesOf(line: Effect | Call): Set<Lines> {
    const shelves = new Set([this.#shelf(`provider ${line.provider}`)]);
    if (line.source !== null) shelves.add(this.#shelf(`source ${line.source}`));
    if (line.key !== null) shelves.add(this.#shelf(`key ${line.key}`));
    if (line.reference !== null) shelves.add(this.#shelf(`reference ${line.reference}`));
    if (line.chargeReference !== null)
      shelves.add(this.#shelf(`reference ${line.chargeReference}`));
    return shelves;
  }

  #shelf(name: string): Lines {
    const known = this.#shelves.get(name);
    if (known !== undefined) return known;
    const shelf: Lines = { effects: [], calls: [] };
    this.#shelves.set(name, shelf);
    return shelf;
  }
}

function fits(line: Effect | Call, filter: LedgerFilter): boolean {
  const { source, reference, key, provider } = filter;
  return (
    (source === undefined || source === line.source) &&
    (key === undefined || key === line.key) &&
    (provider === undefined || provider === line.provider) &&
    (reference === undefined || [line.reference, line.chargeReference].includes(reference))
  );
}

function address(provider: ProviderName, kind: CallKind, reference: string): string {
  return `${provider} ${kind} ${reference}`;
}
