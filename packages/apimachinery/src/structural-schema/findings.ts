import {
  childOf,
  type FieldError,
  type FieldPath,
  goJson,
  invalid,
  notSupported,
  quoteGo,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "../field/index.js";

/** A fault of a value, with upstream's words. What kind it is decides how the words reach the client. */
export type Fault = { readonly message: string } & (
  | { readonly kind: "required" | "invalid" | "type"; readonly name: string; readonly value?: unknown }
  | { readonly kind: "choice"; readonly name: string; readonly value: unknown; readonly choices: readonly unknown[] }
  | { readonly kind: "long"; readonly name: string; readonly most: number }
  | { readonly kind: "many"; readonly name: string; readonly count: number; readonly most: number }
  /** Of the whole, wherever it was found. */
  | { readonly kind: "general" }
);

/**
 * A list of a million empty objects whose schema requires a thousand members has a billion faults, which no memory holds. Upstream has
 * no such limit.
 */
export const mostFaults = 10_000;

/** What checks found. The same words are kept once. */
export class Findings {
  readonly faults: Fault[] = [];
  /** The messages of `faults`: looking for one among many faults must not cost more than the value's size. */
  readonly #messages = new Set<string>();
  /** Checks that were passed through; of several schemas that a value fails, the one with the most is reported. */
  matches = 0;

  static of(...faults: readonly Fault[]): Findings {
    const findings = new Findings();
    findings.add(...faults);
    return findings;
  }

  /** No faults, and so many checks passed through. */
  static matched(matches: number): Findings {
    const findings = new Findings();
    findings.matches = matches;
    return findings;
  }

  get isGood(): boolean {
    return this.faults.length === 0;
  }

  /** What else is found is not kept. */
  get isFull(): boolean {
    return this.faults.length >= mostFaults;
  }

  add(...faults: readonly Fault[]): void {
    for (const fault of faults) {
      if (this.isFull) return;
      if (this.#messages.has(fault.message)) continue;
      this.#messages.add(fault.message);
      this.faults.push(fault);
    }
  }

  merge({ faults, matches }: Findings): void {
    for (const fault of faults) this.add(fault);
    this.matches += matches;
  }
}

/** `name`: as the message has it, `spec.a[0]`; "" for the whole. `given`: the JSON type or format that the value has. */
export const wrongType = (name: string, wanted: string, given: string): Fault => ({
  kind: "type",
  name,
  value: given,
  message: `${name} in body must be of type ${wanted}: ${quoteGo(given)}`,
});

export function fieldErrorOf(fault: Fault, path: FieldPath | undefined): FieldError {
  if (fault.kind === "general") return invalid(path, "", fault.message);
  const name = fault.name.replace(/^\./, "");
  const here = name === "" ? path : childOf(path, name);
  switch (fault.kind) {
    case "required":
      return required(here);
    case "choice":
      return notSupported(
        here,
        fault.value,
        fault.choices.map((choice) => (typeof choice === "string" ? choice : goJson(choice))),
      );
    case "long":
      return tooLong(here, fault.most);
    case "many":
      return tooMany(here, fault.count, fault.most);
    case "type":
      return typeInvalid(here, fault.value ?? "", fault.message);
    case "invalid":
      return invalid(here, fault.value ?? "", fault.message);
  }
}
