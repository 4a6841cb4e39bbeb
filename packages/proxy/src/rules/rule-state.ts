import type { ServiceFrontends } from "../frontends/frontend.js";
import type { Chain, Container } from "./element.js";
import { type Collision, ElementClaims } from "./element-claims.js";
import { planServiceRules, type ServiceRules } from "./plan-service-rules.js";
import type { ElementChange, RuleChanges } from "./rule-changes.js";
import type { TableSettings } from "./table-settings.js";
import type { ExistingObjects } from "./transaction.js";

/**
 * What the services want in one table, and what is in the kernel. `planChanges` looks only at what services changed since the last
 * one; `planAll` at everything, after a failure or a start. Exactly one of `applied` and `failed` follows each.
 */
export class RuleState {
  readonly #services = new Map<string, ServiceRules>();
  readonly #claims = new ElementClaims();
  readonly #touched = new Map<Container, Set<string>>();
  readonly #owners = new Set<string>();
  #kernel: Kernel = emptyKernel();
  #next: (() => void) | undefined;
  settings: TableSettings;

  constructor(settings: TableSettings) {
    this.settings = settings;
  }

  get serviceCount(): number {
    return this.#services.size;
  }

  /** There are chains to delete, though nothing has changed. */
  get hasLeftovers(): boolean {
    return this.#kernel.emptied.size > 0;
  }

  /** The service is this now; undefined: it is gone. Answers the frontends that another service has as well. */
  put(service: string, plan: ServiceFrontends | undefined): Collision[] {
    const before = this.#services.get(service);
    for (const element of before?.elements ?? []) {
      this.#claims.remove(element, service);
      this.#touch(element);
    }
    if (before !== undefined || plan !== undefined) this.#owners.add(service);
    if (plan === undefined) {
      this.#services.delete(service);
      return [];
    }
    const rules = planServiceRules(this.settings, plan, before);
    this.#services.set(service, rules);
    return rules.elements.flatMap((element) => {
      this.#touch(element);
      return this.#claims.add(element, { owner: service, rank: rules.rank }) ?? [];
    });
  }

  #touch({ container, key }: { container: Container; key: string }): void {
    const keys = this.#touched.get(container);
    if (keys === undefined) this.#touched.set(container, new Set([key]));
    else keys.add(key);
  }

  planChanges(): RuleChanges {
    const kernel = this.#kernel;
    const wanted = this.#ownWanted(this.#owners);
    const elements: ElementChange[] = [];
    for (const [container, keys] of this.#touched)
      for (const key of keys) {
        const [before, after] = [kernel.elements.get(container)?.get(key), this.#claims.valueOf(container, key)];
        if (before !== after) elements.push({ container, key, before, after });
      }
    const chains = [...wanted.chains.values()].filter((chain) => !sameChain(kernel.chains.get(chain.name), chain));
    const had = [...this.#owners].flatMap((owner) => kernel.owned.get(owner) ?? []);
    const emptied = had.flatMap(({ chains: names }) => names.filter((name) => !wanted.chains.has(name)));
    const addedSets = new Map([...wanted.sets].filter(([name]) => !kernel.sets.has(name)));
    const removedSets = had.flatMap(({ sets }) => sets.filter((name) => !wanted.sets.has(name)));
    const deleted = [...kernel.emptied].filter((name) => !wanted.chains.has(name));
    const changes = { elements, addedSets, removedSets, chains, emptied, deleted };
    this.#next = () => this.#commit(changes);
    return changes;
  }

  /** Everything, as if the table were empty. Chains and sets in `existing` that nobody wants go. */
  planAll(existing: ExistingObjects | undefined): RuleChanges {
    const wanted = this.#ownWanted(this.#services.keys());
    const elements = [...this.#claims.elements()].map(
      ({ container, key, value }): ElementChange => ({ container, key, before: undefined, after: value }),
    );
    const stale = [...(existing?.chains ?? [])].filter((name) => isServiceChain(name) && !wanted.chains.has(name));
    const changes: RuleChanges = {
      elements,
      addedSets: wanted.sets,
      removedSets: [...(existing?.sets ?? [])].filter((name) => name.startsWith("affinity-") && !wanted.sets.has(name)),
      chains: [...wanted.chains.values()],
      emptied: stale,
      deleted: [],
    };
    this.#next = () => {
      this.#kernel = emptyKernel();
      this.#commit(changes);
      for (const service of this.#services.keys()) this.#remember(service);
    };
    return changes;
  }

  /** The kernel has what the last plan wanted. */
  applied(): void {
    this.#next?.();
    this.#next = undefined;
    this.#touched.clear();
    this.#owners.clear();
  }

  #commit({ elements, addedSets, removedSets, chains, emptied, deleted }: RuleChanges): void {
    const kernel = this.#kernel;
    for (const { container, key, after } of elements) {
      const byKey = kernel.elements.get(container) ?? new Map<string, string>();
      kernel.elements.set(container, byKey);
      if (after === undefined) byKey.delete(key);
      else byKey.set(key, after);
    }
    for (const [name, seconds] of addedSets) kernel.sets.set(name, seconds);
    for (const name of removedSets) kernel.sets.delete(name);
    for (const name of deleted) kernel.emptied.delete(name);
    for (const name of emptied) {
      kernel.chains.delete(name);
      kernel.emptied.add(name);
    }
    for (const chain of chains) {
      kernel.chains.set(chain.name, chain);
      kernel.emptied.delete(chain.name);
    }
    for (const service of this.#owners) this.#remember(service);
  }

  #remember(service: string): void {
    const rules = this.#services.get(service);
    if (rules === undefined) this.#kernel.owned.delete(service);
    else
      this.#kernel.owned.set(service, {
        chains: rules.chains.map(({ name }) => name),
        sets: [...rules.affinitySets.keys()],
      });
  }

  /** The chains and sets that these services want. */
  #ownWanted(services: Iterable<string>): { chains: Map<string, Chain>; sets: Map<string, number> } {
    const chains = new Map<string, Chain>();
    const sets = new Map<string, number>();
    for (const service of services) {
      const rules = this.#services.get(service);
      for (const shared of rules?.shared ?? []) for (const chain of shared.chains) chains.set(chain.name, chain);
      for (const chain of rules?.chains ?? []) chains.set(chain.name, chain);
      for (const [name, seconds] of rules?.affinitySets ?? []) sets.set(name, seconds);
    }
    return { chains, sets };
  }
}

/** What is in the kernel, as far as services decide it. */
interface Kernel {
  readonly elements: Map<Container, Map<string, string>>;
  readonly chains: Map<string, Chain>;
  readonly sets: Map<string, number>;
  readonly owned: Map<string, { readonly chains: readonly string[]; readonly sets: readonly string[] }>;
  readonly emptied: Set<string>;
}

const emptyKernel = (): Kernel => ({
  elements: new Map(),
  chains: new Map(),
  sets: new Map(),
  owned: new Map(),
  emptied: new Set(),
});

const sameChain = (a: Chain | undefined, b: Chain): boolean =>
  a !== undefined && a.rules.length === b.rules.length && a.rules.every((rule, at) => rule === b.rules[at]);

const isServiceChain = (name: string): boolean =>
  /^(affinity|endpoint|internal|cluster|local|external|firewall)-[0-9a-f]{16}-/.test(name);
