import type { AdmissionRequest } from "../../admission.js";
import { cutUtf8 } from "./cut-utf8.js";

/** Bytes. */
const longestValue = 10 * 1024;

/** The audit annotations of one policy. Bindings with different parameters may make different values of one key. */
export class AnnotationCollector {
  readonly #values = new Map<string, Set<string>>();

  add(key: string, value: string): void {
    const values = this.#values.get(key) ?? new Set();
    this.#values.set(key, values.add(cutUtf8(value, longestValue)));
  }

  publish(policy: string, request: AdmissionRequest | undefined): void {
    for (const [key, values] of this.#values) request?.annotate(`${policy}/${key}`, [...values].join(", "));
  }
}
