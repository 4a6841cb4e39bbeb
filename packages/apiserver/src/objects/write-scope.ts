import type { AnyKind } from "@coxswain/kinds";
import type { VersionKind } from "../catalogue/version-kind.js";
import type { Latencies } from "../request/latencies.js";
import type { UserInfo } from "../request/user-info.js";
import type { Projection } from "./projection.js";

/** What a write is about, and for whom. */
export interface WriteScope {
  readonly kind: AnyKind;
  /** The version of the client's request, where that is not the kind's own: managed fields are counted in it. */
  readonly version?: VersionKind | undefined;
  /** `kind` is what the client sees; something else is stored. */
  readonly projection?: Projection | undefined;
  /** "" for the object itself, else the view that is written: `status`, `finalize`, … */
  readonly view: string;
  /** "" for cluster-wide kinds. */
  readonly namespace: string;
  /** "" on create: the object has it. */
  readonly name: string;
  readonly user: UserInfo;
  /** What the request is called, for the object's history: create, update, patch, delete, … */
  readonly verb: string;
  /** Who owns the fields that change. */
  readonly manager: string;
  /** Which request it is, for the object's history. @default the server's own write */
  readonly origin?: WriteOrigin | undefined;
  /** The options of the request, as an AdmissionReview shows them. @default none are known */
  readonly options?: () => Readonly<Record<string, unknown>>;
  /** Everything but the store is done. */
  readonly dryRun: boolean;
  /** Length of what was sent, with the defaults it gets. @default unknown, and not much */
  readonly sentBytes?: number;
  /** Where the time of the request goes; undefined where nobody wants to know. */
  readonly latencies?: Latencies | undefined;
  /** Sent to the client as a Warning header. */
  warn(text: string): void;
  /** Noted for the audit log; `level`: only where it also holds what was sent. */
  annotate(key: string, value: string, level?: "Request"): void;
  /**
   * Its signal is aborted when nobody waits for the answer any more. Asked for only by writes that take long: making it takes a tenth of
   * the time of all others. @default the answer is always waited for
   */
  readonly ending?: { readonly signal: AbortSignal };
}

/** What the history of an object names a request by. */
export interface WriteOrigin {
  /** The subresource of the path, where that is not the view that is written: `binding`, `eviction`. */
  readonly subresource: string;
  readonly auditId: string;
  readonly userAgent: string;
  /** What the client claims to have acted on. */
  readonly cause: string;
  /** Why it was done, in words of the client. */
  readonly reason: string;
}
