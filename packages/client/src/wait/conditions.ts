interface Conditioned {
  readonly metadata?: { readonly generation?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly observedGeneration?: number;
    }[];
  };
}

/**
 * Whether a condition has this status: `hasCondition("Ready")`. One that was set for an older generation of the object
 * does not count, as for kubectl wait. Types are compared without regard to case.
 */
export const hasCondition =
  (type: string, status = "True") =>
  (object: object | undefined): boolean => {
    const { metadata, status: current } = (object ?? {}) as Conditioned;
    const found = current?.conditions?.find((condition) => condition.type.toLowerCase() === type.toLowerCase());
    const observed = found?.observedGeneration ?? current?.observedGeneration;
    if (observed !== undefined && metadata?.generation !== undefined && observed < metadata.generation) return false;
    return found?.status.toLowerCase() === status.toLowerCase();
  };

export const exists = (object: object | undefined): boolean => object !== undefined;
export const isDeleted = (object: object | undefined): boolean => object === undefined;

/** Gone, or replaced by another of the same name. */
export const isDeletedOrReplaced =
  (uid: string | undefined) =>
  (object: { readonly metadata?: { readonly uid?: string } } | undefined): boolean =>
    object === undefined || object.metadata?.uid !== uid;
