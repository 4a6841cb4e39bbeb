import { cloneJson, equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AdmissionAttributes } from "./admission.js";

/** Which parts of one plugin (its webhooks or policies) are called again in the second run of one write. */
export class Reinvocations {
  /** What the plugin left behind when it ran last. */
  #lastOutput: KubernetesObject | undefined;
  /** Called already, and to be called again if something changes behind them. */
  #invoked = new Set<string>();
  #wanted = new Set<string>();

  isWanted(id: string): boolean {
    return this.#wanted.has(id);
  }

  /** It was called, and wants to see what changes from here on. */
  addInvoked(id: string): void {
    this.#invoked.add(id);
  }

  /** The object has changed: those who were called before must see it. */
  requireInvoked(): void {
    for (const id of this.#invoked) this.#wanted.add(id);
    this.#invoked.clear();
  }

  isChangedSince(object: KubernetesObject | undefined): boolean {
    return !equalJson(this.#lastOutput ?? null, object ?? null);
  }

  setLastOutput(object: KubernetesObject | undefined): void {
    this.#lastOutput = object && cloneJson(object);
  }
}

/** For one plugin: both runs of one write share theirs. */
export function createReinvocations(): (attributes: AdmissionAttributes) => Reinvocations {
  const known = new WeakMap<AdmissionAttributes, Reinvocations>();
  return (attributes) => {
    let found = known.get(attributes);
    if (!found) known.set(attributes, (found = new Reinvocations()));
    return found;
  };
}
