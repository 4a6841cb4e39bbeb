/** A map or set of the table, as it is declared. */
export interface ContainerKind {
  readonly kind: "map" | "set";
  /** "type ipv4_addr : verdict", with flags. */
  readonly type: string;
}

interface Wanted extends ContainerKind {
  /** By key: the values ("" in sets) of all who want it; the last one counts. */
  readonly elements: Map<string, string[]>;
}

export interface ElementChanges {
  readonly declared: readonly (readonly [name: string, kind: ContainerKind])[];
  readonly deleted: readonly (readonly [name: string, keys: readonly string[]])[];
  readonly added: readonly (readonly [name: string, texts: readonly string[]])[];
}

const textOf = (key: string, value = ""): string => (value === "" ? key : `${key} : ${value}`);

/**
 * The elements that are wanted in each container, and which of them the kernel does not have yet. An element may be wanted several
 * times, also with different values: for a while a pod that terminates and a new one may claim the same address. The last value counts,
 * and when its owner goes, the one before it: a value whose owner is gone would name a chain that is not there.
 */
export class PolicyElements {
  readonly #wanted = new Map<string, Wanted>();
  readonly #kernel = new Map<string, Map<string, string>>();
  readonly #touched = new Map<string, Set<string>>();

  declare(name: string, kind: ContainerKind): void {
    if (!this.#wanted.has(name)) this.#wanted.set(name, { ...kind, elements: new Map() });
  }

  /** The container goes, with all that is in it: the caller deletes it from the kernel. */
  forget(name: string): void {
    this.#wanted.delete(name);
    this.#kernel.delete(name);
    this.#touched.delete(name);
  }

  get names(): readonly string[] {
    return [...this.#wanted.keys()];
  }

  /** Nothing is wanted in the container. */
  empty(name: string): void {
    const elements = this.#wanted.get(name)?.elements;
    for (const key of elements?.keys() ?? []) this.#touch(name, key);
    elements?.clear();
  }

  add(name: string, key: string, value = ""): void {
    const elements = this.#wanted.get(name)?.elements;
    const values = elements?.get(key);
    if (values === undefined) elements?.set(key, [value]);
    else values.push(value);
    this.#touch(name, key);
  }

  remove(name: string, key: string, value = ""): void {
    const elements = this.#wanted.get(name)?.elements;
    const values = elements?.get(key);
    const at = values?.lastIndexOf(value) ?? -1;
    if (values === undefined || at < 0) return;
    values.splice(at, 1);
    if (values.length === 0) elements?.delete(key);
    this.#touch(name, key);
  }

  #touch(name: string, key: string): void {
    const keys = this.#touched.get(name) ?? new Set();
    this.#touched.set(name, keys);
    keys.add(key);
  }

  /** What differs from the kernel. */
  changes(): ElementChanges {
    const declared = [...this.#wanted].filter(([name]) => !this.#kernel.has(name));
    const [deleted, added]: [[string, string[]][], [string, string[]][]] = [[], []];
    for (const [name, keys] of this.#touched) {
      const [old, fresh]: [string[], string[]] = [[], []];
      for (const key of keys) {
        const [before, after] = [this.#kernel.get(name)?.get(key), this.#wanted.get(name)?.elements.get(key)?.at(-1)];
        if (before === after) continue;
        if (before !== undefined) old.push(key);
        if (after !== undefined) fresh.push(textOf(key, after));
      }
      if (old.length > 0) deleted.push([name, old]);
      if (fresh.length > 0) added.push([name, fresh]);
    }
    return { declared, deleted, added };
  }

  /** Everything, as if the kernel had nothing. */
  everything(): ElementChanges {
    const added = [...this.#wanted].flatMap(([name, { elements }]): [string, string[]][] =>
      elements.size === 0 ? [] : [[name, [...elements].map(([key, values]) => textOf(key, values.at(-1)))]],
    );
    return { declared: [...this.#wanted], deleted: [], added };
  }

  /** The kernel has what is wanted: all of it, or what the last changes were about. */
  applied(isAll: boolean): void {
    if (isAll) this.#kernel.clear();
    for (const name of this.#wanted.keys()) if (!this.#kernel.has(name)) this.#kernel.set(name, new Map());
    const names = isAll ? this.#wanted.keys() : this.#touched.keys();
    for (const name of names) {
      const [wanted, kernel] = [this.#wanted.get(name)?.elements, this.#kernel.get(name)];
      const keys = isAll ? wanted?.keys() : this.#touched.get(name);
      for (const key of keys ?? []) {
        const value = wanted?.get(key)?.at(-1);
        if (value === undefined) kernel?.delete(key);
        else kernel?.set(key, value);
      }
    }
    this.#touched.clear();
  }
}
