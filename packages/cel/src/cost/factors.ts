/** Upstream's units of cost: 1 is about the time of a field access. */
export const costs = {
  selectAndIdent: 1,
  createList: 10,
  createMap: 30,
  createStruct: 40,
  /** Per code point or byte of a string that a function reads through. */
  stringTraversal: 0.1,
  /** Per code point of a regular expression: taken for a quarter of an instruction of it. */
  regexLength: 0.25,
} as const;
