import { median } from "./median.js";
import type { Figure } from "./rows/row.js";

/** What was measured of one server, again and again. */
export class Samples {
  readonly #byWhat = new Map<string, (number | "not yet")[]>();

  add(what: string, value: number | "not yet"): void {
    const known = this.#byWhat.get(what);
    if (known) known.push(value);
    else this.#byWhat.set(what, [value]);
  }

  /** The median; undefined if there is nothing. */
  valueOf({ what, quotient }: Pick<Figure, "what" | "quotient">): number | "not yet" | undefined {
    if (!quotient) return median(this.#byWhat.get(what) ?? []);
    const [of, by] = [this.valueOf({ what: quotient.of }), this.valueOf({ what: quotient.by })];
    return typeof of === "number" && typeof by === "number" ? of / by : (of ?? by);
  }
}
