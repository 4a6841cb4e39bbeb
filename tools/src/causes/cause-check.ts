import { AsyncLocalStorage } from "node:async_hooks";

/** What tests set of a recorder of work items. */
interface Recorder {
  around?: (<T>(queue: string, item: unknown, run: () => T) => T) | undefined;
}

interface FoundCause {
  readonly certainty: string;
  readonly queue: string;
  readonly item: string;
}

/**
 * Compares, write by write, the work item that was inferred with the one that made it. Each reconcile runs in an AsyncLocalStorage:
 * a client gives its requests the audit id that `tag` makes.
 */
export class CauseCheck {
  readonly #truth = new AsyncLocalStorage<string>();
  readonly #byTag = new Map<string, string | undefined>();
  writes = 0;
  exact = 0;
  /** Marked exact, but another item made it, or none. */
  readonly wrong: string[] = [];
  /** Not exact, for those who improve it. */
  readonly others: string[] = [];

  follow(works: Recorder): void {
    works.around = (queue, item, run) => this.#truth.run(nameOf({ queue, item: String(item) }), run);
  }

  /** An audit id for a request of the reconcile that this code belongs to. */
  tag(): string {
    const id = `checked-${this.#byTag.size + 1}`;
    this.#byTag.set(id, this.#truth.getStore());
    return id;
  }

  /** The reconcile that sent a request; undefined: none did. */
  truthOf(auditId: string | undefined): string | undefined {
    return this.#byTag.get(auditId ?? "");
  }

  compare({ key, auditId }: { key: string; auditId: string | undefined }, found: readonly FoundCause[]): void {
    const truth = this.truthOf(auditId);
    const [first] = found;
    this.writes++;
    if (first?.certainty !== "exact")
      this.others.push(`${key} by ${truth ?? "none"}: ${found.map(nameOf).join(" or ") || "nothing"}`);
    else if (nameOf(first) === truth) this.exact++;
    else this.wrong.push(`${key}: ${nameOf(first)}, but it was ${truth ?? "none"}`);
  }
}

const nameOf = ({ queue, item }: { readonly queue: string; readonly item: string }): string =>
  `${queue}:${item}`.replaceAll(/\s/g, "_");
