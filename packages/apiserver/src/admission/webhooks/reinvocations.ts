import { cloneJson, equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AdmissionAttributes } from "../admission.js";

/** Which webhooks are asked again in the second run of one write. */
export class Reinvocations {
  /** What the webhooks left behind when they ran last. */
  #lastOutput: KubernetesObject | undefined;
  /** Asked already, and to be asked again if something changes behind them. */
  #invoked = new Set<string>();
  #wanted = new Set<string>();

  isWanted(uid: string): boolean {
    return this.#wanted.has(uid);
  }

  /** Asked about the object; a webhook with the policy IfNeeded wants to see what changes from here on. */
  addInvoked(uid: string): void {
    this.#invoked.add(uid);
  }

  /** The object has changed: those who were asked before must see it. */
  requireInvoked(): void {
    for (const uid of this.#invoked) this.#wanted.add(uid);
    this.#invoked.clear();
  }

  isChangedSince(object: KubernetesObject | undefined): boolean {
    return !equalJson(this.#lastOutput ?? null, object ?? null);
  }

  setLastOutput(object: KubernetesObject | undefined): void {
    this.#lastOutput = object && cloneJson(object);
  }
}

const known = new WeakMap<AdmissionAttributes, Reinvocations>();

/** Both runs of one write share it. */
export function reinvocationsOf(attributes: AdmissionAttributes): Reinvocations {
  let found = known.get(attributes);
  if (!found) known.set(attributes, (found = new Reinvocations()));
  return found;
}
