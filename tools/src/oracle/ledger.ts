/** A difference that stays, and why. */
export interface AcceptedDifference {
  /** Of the subject's name, "pods"; any when left out. */
  readonly kind?: RegExp;
  /** Of the case's sentence; any when left out. */
  readonly sentence?: RegExp;
  /** Of the path within the answer. */
  readonly path: RegExp;
  /** Of what upstream says there, as JSON. */
  readonly want?: RegExp;
  /** Of what we say there, as JSON. */
  readonly got?: RegExp;
  readonly reason: string;
}

/** Every accepted difference. One that no case shows any more is to be deleted. */
export const ledger: readonly AcceptedDifference[] = [];
