import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { StrategyContext } from "@coxswain/kinds";
import type { Soon } from "@coxswain/runtime/soon";
import type { AdmissionAttributes } from "../../admission/admission.js";
import type { ObjectDeps } from "../object-deps.js";
import type { Current } from "../write-loop.js";
import type { WriteScope } from "../write-scope.js";
import type { TransactionWrites } from "../write-transaction.js";

/** What a client wants to become of an object. */
export interface RequestedState {
  /**
   * The new state, given what is there now: a private copy, in canonical form, defaults set, its managed fields as they are to be
   * where `fieldsTracked` is set. Called again on every lost race.
   *
   * @param bytes of the larger of what was sent and what is there
   */
  next(current: KubernetesObject | undefined, bytes: number): Soon<KubernetesObject>;
  /** The caller computed managed fields itself (server-side apply). */
  readonly fieldsTracked?: boolean;
  /** Throws when this user may not create: a PUT that creates is a create. */
  mayCreate?(): Promise<void>;
}

/** One write between the client's request and the store; each step of the pipeline takes it further. */
export interface PendingWrite {
  readonly deps: ObjectDeps;
  /** An update may create as well: then `current` is undefined. */
  readonly request: "create" | "update";
  readonly requested: RequestedState;
  /** What the client wrote. */
  readonly scope: WriteScope;
  /** What is stored: another kind than the client's where that is a projection (Scale). */
  readonly storedScope: WriteScope;
  /** What the object is called, as far as that is known: "" for one whose name the server makes. */
  readonly name: string;
  /** What is stored now; undefined: the object is created. */
  readonly current: Current | undefined;
  /** The same as the client sees it. */
  readonly old: KubernetesObject | undefined;
  /** How much data each step handles. */
  readonly bytes: number;
  /** As far as it is; the client's kind until the step `restoreStored`, the stored one from then on. */
  object: KubernetesObject;
  /** What mutating admission was asked. */
  attributes: AdmissionAttributes;
  /** What the kind's strategy may know; made by `prepare`. */
  context: StrategyContext;
  /** Written together with the object. */
  transaction: TransactionWrites | undefined;
}

/** `object`, `attributes` and `context` are there once the steps that make them have run; the order of the pipeline sees to it. */
type Given = Omit<PendingWrite, "old" | "bytes" | "object" | "attributes" | "context" | "transaction">;

/** All members are there from the beginning: in Node 20, each object that gets one after a spread has a hidden class of its own (4 µs, 250 bytes). */
export function pendingWrite({ deps, request, requested, scope, storedScope, name, current }: Given): PendingWrite {
  const write: Given & Record<"old" | "bytes" | "object" | "attributes" | "context" | "transaction", unknown> = {
    deps,
    request,
    requested,
    scope,
    storedScope,
    name,
    current,
    old: current && (scope.projection?.project(current.object) ?? current.object),
    bytes: Math.max(scope.sentBytes ?? 0, current?.bytes.length ?? 0),
    object: undefined,
    attributes: undefined,
    context: undefined,
    transaction: undefined,
  };
  return write as PendingWrite;
}
