import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { UserInfo } from "../server/user-info.js";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** One write, as admission sees it. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly kind: AnyKind;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The new state; a mutating plugin changes it in place. Undefined on delete. */
  readonly object: KubernetesObject | undefined;
  readonly old: KubernetesObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Where what the plugins say of the request goes; the same for every try of one write. */
  readonly request?: AdmissionRequest;
}

/** The request that a write is part of. */
export interface AdmissionRequest {
  /** The form in which the client wrote, where that is not the kind's own. */
  readonly version?: { readonly group: string } | undefined;
  /** Sent to the client as a Warning header. */
  warn(text: string): void;
  /** Noted for the audit log. */
  annotate(key: string, value: string): void;
}

export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly AdmissionOperation[];
  /** May change `object`. Throws a StatusError to refuse. Runs again when a write loses a race. */
  admit?(attributes: AdmissionAttributes): void | Promise<void>;
  /** Only looks, after all mutation and the strategy's own validation. */
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}

/** The plugins in their order; both passes run through it from top to bottom. */
export interface Admission {
  admit(attributes: AdmissionAttributes): Promise<void>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}

/** Told how long each plugin took, and all of them together. */
export interface AdmissionMeter {
  /** In milliseconds. */
  now(): number;
  ofStep(step: AdmissionStep): ObserveAdmission;
  ofPlugin(name: string, step: AdmissionStep): ObserveAdmission;
}

export type AdmissionStep = "admit" | "validate";
export type ObserveAdmission = (operation: AdmissionOperation, ms: number, rejected: boolean) => void;

export function createAdmission(plugins: readonly AdmissionPlugin[], meter: AdmissionMeter = unmetered): Admission {
  const pass = (step: AdmissionStep) => {
    const active = plugins.filter((plugin) => plugin[step]).map((plugin) => ({ plugin, observe: meter.ofPlugin(plugin.name, step) }));
    const activeOn = (operation: AdmissionOperation) => active.filter(({ plugin }) => plugin.operations.includes(operation));
    const byOperation = { CREATE: activeOn("CREATE"), UPDATE: activeOn("UPDATE"), DELETE: activeOn("DELETE"), CONNECT: activeOn("CONNECT") };
    const observeAll = meter.ofStep(step);
    return async (attributes: AdmissionAttributes): Promise<void> => {
      const { operation } = attributes;
      const chosen = byOperation[operation];
      const began = meter.now();
      let last = began;
      let observing: ObserveAdmission | undefined;
      try {
        for (let at = 0; at < chosen.length; at++) {
          const { plugin, observe } = chosen[at] as (typeof chosen)[number];
          observing = observe;
          // Most answer at once: waiting for each of them would cost every write dozens of turns.
          const deciding = plugin[step]?.(attributes);
          if (deciding) await deciding;
          const now = meter.now();
          observe(operation, now - last, false);
          last = now;
        }
      } catch (refusal) {
        const now = meter.now();
        observing?.(operation, now - last, true);
        observeAll(operation, now - began, true);
        throw refusal;
      }
      observeAll(operation, last - began, false);
    };
  };
  return { admit: pass("admit"), validate: pass("validate") };
}

const unmetered: AdmissionMeter = { now: () => 0, ofStep: () => () => {}, ofPlugin: () => () => {} };

/** For what the server does inside a request that was admitted as a whole. */
export const noAdmission: Admission = { admit: () => Promise.resolve(), validate: () => Promise.resolve() };

export const resourceOf = (kind: AnyKind): { group: string; resource: string } => ({ group: kind.group, resource: kind.resource });

/** A pod, and not one of its subresources. */
export const isPodItself = ({ kind, subresource }: AdmissionAttributes): boolean => kind.group === "" && kind.kind === "Pod" && subresource === "";
