import type { Runtime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import type { AdmissionPlugin } from "../admission/admission.js";
import type { AuditOptions } from "../audit/create-audit.js";
import type { AuthenticationOptions } from "../authentication/authentication-options.js";
import type { Authorizer } from "../authorization/attributes.js";
import type { Filter } from "../request/filter.js";
import type { ObservabilityOptions } from "../server/observability/observability.js";
import type { LimitOptions } from "../server/requests/limit-options.js";
import type { ApiGroup } from "./api-group.js";
import type { OwnObjects } from "./own-objects.js";

/** A server of one's own: these kinds, and nothing else. */
export interface OwnServerOptions {
  readonly groups: readonly ApiGroup[];
  /** Where objects are kept; it stays its opener's. */
  readonly store: KeyValueStore;
  /** @default the platform's time and randomness, and no log */
  readonly runtime?: Runtime;
  /** Who asks: certificates, tokens, a proxy in front that names users. @default only callers of this process are known */
  readonly authentication?: Omit<AuthenticationOptions, "serviceAccount" | "bootstrapTokens">;
  /** Who may do what, beside members of system:masters; health is for everybody. @default nobody else may do anything */
  readonly authorizer?: Authorizer;
  /** In the order in which they run; a function makes one of what the server holds. @default none */
  readonly admission?: readonly (AdmissionPlugin | ((objects: OwnObjects) => AdmissionPlugin))[];
  /** Between authorization and the handlers. @default none */
  readonly filters?: readonly Filter[];
  /** What requests may take and use. @default 400 reads and 200 writes at once */
  readonly limits?: Omit<LimitOptions, "priorityAndFairness">;
  /** @default none are audited */
  readonly audit?: AuditOptions;
  readonly observability?: ObservabilityOptions;
  /** The address in discovery documents. @default "127.0.0.1:443" */
  readonly serverAddress?: () => string;
}
