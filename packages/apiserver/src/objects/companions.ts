import type { FieldError } from "@coxswain/apimachinery/field";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { KeyRecord, Write } from "@coxswain/storage";
import type { WriteScope } from "./write-scope.js";

/**
 * What stands in the store beside an object and changes with it, in the same transaction: the addresses and ports of a Service.
 * So nothing is held by what failed to be written, and nothing is given to two.
 */
export interface Companions {
  /** For a new object, before its kind prepares it. May fill in what it gets. Throws StatusError. */
  create(object: KubernetesObject, scope: WriteScope): Promise<CompanionWrites>;
  /** For a changed object, before its kind prepares it. */
  update(object: KubernetesObject, old: KubernetesObject, scope: WriteScope): Promise<CompanionWrites>;
  remove(old: KubernetesObject): Promise<CompanionWrites>;
  /**
   * What is wrong with a new or changed object that is valid to its kind, `old` undefined for a new one; not called for views. Here and not
   * in `create`, where the kind's own mistakes are reported first.
   */
  checkObject?(
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    scope: WriteScope,
  ): Promise<readonly FieldError[]>;
  /** What is wrong with a change through a view such as `status` that the kind alone cannot check; called when the object is prepared. */
  checkView?(object: KubernetesObject, old: KubernetesObject, scope: WriteScope): Promise<readonly FieldError[]>;
}

export interface CompanionWrites {
  /** Empty: the object is written alone. */
  readonly writes: readonly Write[];
  written?(revision: number): void;
  /** Somebody else was faster with this key; all is decided again. */
  lost?(key: string, current: KeyRecord | undefined): void;
}

export const noCompanions: CompanionWrites = { writes: [] };
