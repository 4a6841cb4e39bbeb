import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import type { Latencies } from "../request/latencies.js";
import type { UserInfo } from "../request/user-info.js";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** One write, as admission sees it. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly kind: AnyKind;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The new state; a mutating plugin changes it in place, or puts another one here. Undefined on delete. */
  object: KubernetesObject | undefined;
  readonly old: KubernetesObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Where warnings and annotations of plugins go; the same for every retry of one write. */
  readonly request?: AdmissionRequest;
  /** Set by a plugin whose like must see what others changed behind it (webhooks). @default nobody asked */
  reinvocation?: Reinvocation;
}

/** When a mutating plugin asks for it, all of them run once more: a webhook may want to see what came after it. */
export interface Reinvocation {
  /** Whether this is the second run. */
  isSecondRun: boolean;
  /** Asked for during the first run. */
  isNeeded: boolean;
}

/** The request that a write is part of. */
export interface AdmissionRequest {
  /** The version in which the client wrote, where that is not the kind's own. */
  readonly version?: Pick<AnyKind, "group" | "version"> | undefined;
  /** What the request is called: create, deletecollection, … */
  readonly verb?: string;
  /** The options of the request (CreateOptions, DeleteOptions, …) as an AdmissionReview shows them. */
  readonly options?: () => Readonly<Record<string, unknown>>;
  /** Sent to the client as a Warning header. */
  warn(text: string): void;
  /** Noted for the audit log; `level`: only where it also holds what was sent. */
  annotate(key: string, value: string, level?: "Request"): void;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  /** Where the time of the request goes; undefined where nobody wants to know. */
  readonly latencies?: Latencies | undefined;
}

export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly AdmissionOperation[];
  /** May change `object`. Throws a StatusError to refuse. Runs again when a write loses a race. */
  admit?(attributes: AdmissionAttributes): void | Promise<void>;
  /** Only looks, after all mutation and the strategy's own validation. */
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
  /** Ends what it keeps open. */
  stop?(): void;
}

/** The plugins in their order; both passes run through it from top to bottom. A refusal is thrown, or rejects where a plugin took its time. */
export interface Admission {
  admit(attributes: AdmissionAttributes): Soon<void>;
  validate(attributes: AdmissionAttributes): Soon<void>;
}

/** Called with how long each plugin took, and all of them together. */
export interface AdmissionMetrics {
  /** In milliseconds. */
  now(): number;
  ofStep(step: AdmissionStep, operation: AdmissionOperation): ObserveAdmission;
  ofPlugin(name: string, step: AdmissionStep, operation: AdmissionOperation): ObserveAdmission;
}

export type AdmissionStep = "admit" | "validate";
export type ObserveAdmission = (ms: number, rejected: boolean) => void;

export function createAdmission(
  plugins: readonly AdmissionPlugin[],
  metrics: AdmissionMetrics = withoutMetrics,
): Admission {
  const passOf = (step: AdmissionStep, operation: AdmissionOperation) => {
    const active = plugins
      .filter((plugin) => plugin[step] && plugin.operations.includes(operation))
      .map((plugin) => ({ plugin, observe: metrics.ofPlugin(plugin.name, step, operation) }));
    const observeAll = metrics.ofStep(step, operation);
    const refused = (at: number, since: number, began: number, refusal: unknown): never => {
      const now = metrics.now();
      active[at]?.observe(now - since, true);
      observeAll(now - began, true);
      throw refusal;
    };
    /** From the plugin at `from` on. Most answer at once: waiting for each of them would cost every write dozens of turns. */
    const pass = (attributes: AdmissionAttributes, began: number, from: number): Soon<void> => {
      let at = from;
      let last = from === 0 ? began : metrics.now();
      try {
        for (; at < active.length; at++) {
          const { plugin, observe } = active[at] as (typeof active)[number];
          const deciding = plugin[step]?.(attributes);
          if (deciding) return goOnAfter(deciding, attributes, began, { at, since: last });
          const now = metrics.now();
          observe(now - last, false);
          last = now;
        }
      } catch (refusal) {
        refused(at, last, began, refusal);
      }
      observeAll(last - began, false);
    };
    const goOnAfter = (
      deciding: Promise<void>,
      attributes: AdmissionAttributes,
      began: number,
      { at, since }: { at: number; since: number },
    ): Promise<void> =>
      deciding.then(
        () => {
          active[at]?.observe(metrics.now() - since, false);
          return pass(attributes, began, at + 1);
        },
        (refusal: unknown) => refused(at, since, began, refusal),
      );
    return (attributes: AdmissionAttributes) => pass(attributes, metrics.now(), 0);
  };
  const passesOf = (step: AdmissionStep) => ({
    CREATE: passOf(step, "CREATE"),
    UPDATE: passOf(step, "UPDATE"),
    DELETE: passOf(step, "DELETE"),
    CONNECT: passOf(step, "CONNECT"),
  });
  const [admit, validate] = [passesOf("admit"), passesOf("validate")];
  const reinvoke = (attributes: AdmissionAttributes): Soon<void> => {
    const { reinvocation } = attributes;
    if (!reinvocation?.isNeeded || reinvocation.isSecondRun) return;
    reinvocation.isSecondRun = true;
    return admit[attributes.operation](attributes);
  };
  return {
    admit: (attributes) => whenKnown(admit[attributes.operation](attributes), () => reinvoke(attributes)),
    validate: (attributes) => validate[attributes.operation](attributes),
  };
}

const withoutMetrics: AdmissionMetrics = { now: () => 0, ofStep: () => () => {}, ofPlugin: () => () => {} };

/** For what the server does inside a request that was admitted as a whole. */
export const noAdmission: Admission = { admit: () => undefined, validate: () => undefined };

/** A pod, and not one of its subresources. */
export const isPodItself = ({ kind, subresource }: AdmissionAttributes): boolean =>
  kind.group === "" && kind.kind === "Pod" && subresource === "";
