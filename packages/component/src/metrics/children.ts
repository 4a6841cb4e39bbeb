import { labelText } from "./label-text.js";

/** The series of one metric, one for each set of label values. Found once and kept by those who count often. */
export class Children<Child> {
  readonly #labels: readonly string[];
  readonly #make: () => Child;
  readonly #byKey = new Map<
    string,
    { readonly values: readonly string[]; readonly text: string; readonly child: Child }
  >();

  constructor(labels: readonly string[], make: () => Child) {
    this.#labels = labels;
    this.#make = make;
    // A metric without labels is there from the start, at zero.
    if (labels.length === 0) this.with([]);
  }

  with(values: readonly string[]): Child {
    if (values.length !== this.#labels.length)
      throw new Error(
        `this metric has the labels ${this.#labels.join(", ")}: ${values.length} values are not one for each`,
      );
    const key = values.length === 1 ? (values[0] as string) : values.join("\u0000");
    let known = this.#byKey.get(key);
    if (!known) this.#byKey.set(key, (known = { values, text: labelText(this.#labels, values), child: this.#make() }));
    return known.child;
  }

  /** Of the metric's one label; finding it again makes nothing. */
  of(value: string): Child {
    const known = this.#byKey.get(value);
    return known ? known.child : this.with([value]);
  }

  clear(): void {
    this.#byKey.clear();
  }

  /** Sorted, so that two scrapes can be compared line by line. */
  *each(): Iterable<{ readonly text: string; readonly child: Child }> {
    yield* [...this.#byKey.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
  }
}
