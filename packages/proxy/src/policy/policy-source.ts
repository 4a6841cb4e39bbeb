import type { RuleSource } from "../nft/rule-sync.js";
import type { Chain } from "../rules/element.js";
import type { ContainerKind, ElementChanges } from "./policy-elements.js";
import { forwardRules, policyTable } from "./policy-layout.js";
import type { PolicyState } from "./policy-state.js";

/** Elements of one command. */
const elementsPerCommand = 1_000;

/**
 * What is written of a PolicyState. A whole table replaces the one that is there in a single transaction, so that a restarted proxy
 * leaves no moment without policies. Chains and sets that nobody uses are deleted by the transaction behind the one that took them out
 * of use: older kernels refuse it earlier.
 */
export class PolicySource implements RuleSource {
  readonly #state: PolicyState;
  #chains = new Set<string>();
  #unused: { chains: readonly string[]; sets: readonly string[] } = { chains: [], sets: [] };
  #next: (() => void) | undefined;

  constructor(state: PolicyState) {
    this.#state = state;
  }

  get hasLeftovers(): boolean {
    return this.#unused.chains.length + this.#unused.sets.length > 0;
  }

  writeChanges(): string {
    const state = this.#state;
    const chains = [...state.chains].filter(({ name }) => !this.#chains.has(name));
    const wantedSets = state.peerSets;
    const gone = {
      chains: this.#unused.chains.filter((name) => !state.hasChain(name)),
      sets: this.#unused.sets.filter((name) => !wantedSets.has(name)),
    };
    const commands = [
      ...gone.chains.map((name) => `delete chain ${policyTable} ${name}`),
      ...gone.sets.map((name) => `delete set ${policyTable} ${name}`),
      ...write(state.elements.changes(), chains),
    ];
    this.#next = () => {
      state.elements.applied(false);
      for (const name of gone.sets) state.elements.forget(name);
      this.#remember(gone);
    };
    return commands.length === 0 ? "" : `${commands.join("\n")}\n`;
  }

  writeAll(): string {
    const state = this.#state;
    const wanted = state.peerSets;
    for (const name of state.elements.names) if (isPeerSet(name) && !wanted.has(name)) state.elements.forget(name);
    this.#next = () => {
      state.elements.applied(true);
      this.#chains.clear();
      this.#remember({ chains: [], sets: [] });
    };
    return [
      `add table ${policyTable}`,
      `delete table ${policyTable}`,
      `add table ${policyTable}`,
      ...write(state.elements.everything(), [...state.chains]),
      `add chain ${policyTable} forward { type filter hook forward priority -5 ; policy accept ; }`,
      ...forwardRules.map((rule) => `add rule ${policyTable} forward ${rule}`),
      "",
    ].join("\n");
  }

  applied(): void {
    this.#next?.();
    this.#next = undefined;
  }

  #remember(gone: { chains: readonly string[]; sets: readonly string[] }): void {
    const state = this.#state;
    for (const name of gone.chains) this.#chains.delete(name);
    for (const { name } of state.chains) this.#chains.add(name);
    const wanted = state.peerSets;
    this.#unused = {
      chains: [...this.#chains].filter((name) => !state.hasChain(name)),
      sets: state.elements.names.filter((name) => isPeerSet(name) && !wanted.has(name)),
    };
  }
}

const isPeerSet = (name: string): boolean => name.startsWith("peer-");

/** Containers, then chains, which look at them, then elements, which lead to chains. */
function* write({ declared, deleted, added }: ElementChanges, chains: readonly Chain[]): Iterable<string> {
  for (const [name, { kind, type }] of declared as readonly (readonly [string, ContainerKind])[])
    yield `add ${kind} ${policyTable} ${name} { ${type} ; }`;
  for (const { name, rules } of chains) {
    yield `add chain ${policyTable} ${name}`;
    for (const rule of rules) yield `add rule ${policyTable} ${name} ${rule}`;
  }
  yield* elements("delete", deleted);
  yield* elements("add", added);
}

function* elements(verb: "add" | "delete", changes: ElementChanges["added"]): Iterable<string> {
  for (const [name, texts] of changes)
    for (let at = 0; at < texts.length; at += elementsPerCommand)
      yield `${verb} element ${policyTable} ${name} { ${texts.slice(at, at + elementsPerCommand).join(", ")} }`;
}
