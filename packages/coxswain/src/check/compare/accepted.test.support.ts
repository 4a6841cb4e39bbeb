/** A difference that stays, with its reason; docs/check.md names it, too. */
export interface AcceptedDifference {
  readonly kind?: RegExp;
  readonly want: RegExp;
  readonly got: RegExp;
  readonly reason: string;
}

export const accepted: readonly AcceptedDifference[] = [];
