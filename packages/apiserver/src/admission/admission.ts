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

export function createAdmission(plugins: readonly AdmissionPlugin[]): Admission {
  const pass = (step: "admit" | "validate") => {
    const active = plugins.filter((plugin) => plugin[step]);
    return async (attributes: AdmissionAttributes): Promise<void> => {
      for (const plugin of active) {
        // Most answer at once: waiting for each of them would cost every write dozens of turns.
        const deciding = plugin.operations.includes(attributes.operation) ? plugin[step]?.(attributes) : undefined;
        if (deciding) await deciding;
      }
    };
  };
  return { admit: pass("admit"), validate: pass("validate") };
}

/** For what the server does inside a request that was admitted as a whole. */
export const noAdmission: Admission = { admit: () => Promise.resolve(), validate: () => Promise.resolve() };

export const resourceOf = (kind: AnyKind): { group: string; resource: string } => ({ group: kind.group, resource: kind.resource });

/** A pod, and not one of its subresources. */
export const isPodItself = ({ kind, subresource }: AdmissionAttributes): boolean => kind.group === "" && kind.kind === "Pod" && subresource === "";
