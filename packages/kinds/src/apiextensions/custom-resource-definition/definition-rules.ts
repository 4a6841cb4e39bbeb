/** Rules that came later: an update keeps to them only where the stored definition does. */
export interface DefinitionRules {
  readonly knownReviewVersion: boolean;
  readonly schemaInEveryVersion: boolean;
  readonly validTypes: boolean;
  readonly structural: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSets: boolean;
  readonly listKeys: boolean;
  /** Whether the certificates of a conversion webhook must be some. A definition that nobody uses yet may have others. */
  readonly certificates: boolean;
  /** Versions ("" for what they have in common) that may select by more fields than is allowed today. */
  readonly manyFields: ReadonlySet<string>;
}
