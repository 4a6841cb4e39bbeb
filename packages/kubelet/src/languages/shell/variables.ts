import type { Budget } from "../budget.js";

/** What an entry of a map takes apart from its texts. */
const entryBytes = 64;

const sizeOf = (name: string, value: string): number => entryBytes + name.length + value.length;

/** The variables of one shell, which it holds memory for. */
export class Variables {
  readonly #budget: Budget;
  readonly #values = new Map<string, string>();
  readonly #exported = new Set<string>();
  #bytes = 0;

  constructor(budget: Budget, values: Iterable<readonly [string, string]> = []) {
    this.#budget = budget;
    for (const [name, value] of values) {
      this.set(name, value);
      this.export(name);
    }
  }

  get size(): number {
    return this.#values.size;
  }

  /** As a subshell has them. @throws OverBudget */
  copy(budget: Budget): Variables {
    budget.hold(this.#bytes);
    const copy = new Variables(budget);
    for (const [name, value] of this.#values) copy.#values.set(name, value);
    for (const name of this.#exported) copy.#exported.add(name);
    copy.#bytes = this.#bytes;
    return copy;
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** @throws OverBudget */
  set(name: string, value: string): void {
    this.#change(sizeOf(name, value) - this.#sizeOf(name));
    this.#values.set(name, value);
  }

  delete(name: string): void {
    this.#change(-this.#sizeOf(name));
    this.#values.delete(name);
    if (this.#exported.delete(name)) this.#change(-entryBytes);
  }

  export(name: string): void {
    if (this.#exported.has(name)) return;
    this.#change(entryBytes);
    this.#exported.add(name);
  }

  /** Those that programs see. */
  *exported(): Iterable<readonly [string, string]> {
    for (const name of this.#exported) {
      const value = this.#values.get(name);
      if (value !== undefined) yield [name, value];
    }
  }

  #sizeOf(name: string): number {
    const value = this.#values.get(name);
    return value === undefined ? 0 : sizeOf(name, value);
  }

  #change(bytes: number): void {
    if (bytes > 0) this.#budget.hold(bytes);
    else this.#budget.release(-bytes);
    this.#bytes += bytes;
  }
}
