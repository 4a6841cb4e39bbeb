import type { AdmissionCompiler } from "@coxswain/cel/admission";
import type { compileDeviceSelector } from "@coxswain/cel/devices";
import type { AnyKind, StrategyContext } from "@coxswain/kinds";
import type { RuleCompiler } from "@coxswain/kinds/custom-resources";
import type { Runtime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import type { Admission } from "../admission/admission.js";
import type { CacheFeed } from "../cache/cache-feed.js";
import type { SharedLeases } from "./shared-leases.js";
import type { WriteAuthorization } from "./write-authorization.js";
import type { WriteTransaction } from "./write-transaction.js";

/** What reading and writing objects rests on. */
export interface ObjectDeps {
  readonly store: KeyValueStore;
  readonly feed: CacheFeed;
  readonly admission: Admission;
  readonly gates: { enabled(gate: string): boolean };
  /** Whether containers may be privileged. @default true */
  readonly allowPrivileged?: boolean;
  /** What a kind's strategy needs and is loaded when it is first needed; undefined: it is there. */
  loadFor?(kind: AnyKind): Promise<unknown> | undefined;
  /** For strategies: compiles the validation rules of custom resources. @default rules are not checked */
  readonly ruleCompiler?: () => RuleCompiler | undefined;
  /** For strategies: compiles the expressions of admission policies and match conditions. @default they are not checked */
  readonly admissionCompiler?: () => AdmissionCompiler | undefined;
  /** For strategies: compiles selectors of devices. @default they are not checked */
  readonly compileDeviceSelector?: () => typeof compileDeviceSelector | undefined;
  /** For strategies. @default no namespace has any */
  readonly namespaceLabels?: NonNullable<StrategyContext["namespaceLabels"]>;
  /** For kinds into which a user that may write them may not write everything. */
  authorizationOf?(kind: AnyKind): WriteAuthorization | undefined;
  /** For kinds that are not stored alone. */
  transactionOf?(kind: AnyKind): WriteTransaction | undefined;
  /** For kinds whose objects go by themselves. */
  readonly leases?: SharedLeases;
  readonly runtime: Runtime;
}
