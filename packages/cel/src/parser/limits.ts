/** How much parsing may cost: an expression comes from a client. The numbers are upstream's. */
export interface ParserLimits {
  /** How deep a rule of the grammar may nest, chains of operators included. @default 250 */
  readonly recursionDepth: number;
  /** Code points of an expression. @default 100,000 */
  readonly expressionSize: number;
}

export const defaultLimits: ParserLimits = { recursionDepth: 250, expressionSize: 100_000 };
