/** Codes of the characters that the grammar names (YAML 1.2.2, chapter 5). */
export const tab = 9;
export const lineFeed = 10;
export const space = 32;
export const doubleQuote = 34;
export const hash = 35;
export const percent = 37;
export const ampersand = 38;
export const singleQuote = 39;
export const asterisk = 42;
export const comma = 44;
export const dash = 45;
export const dot = 46;
export const colon = 58;
export const greaterThan = 62;
export const questionMark = 63;
export const openBracket = 91;
export const closeBracket = 93;
export const verticalBar = 124;
export const openBrace = 123;
export const closeBrace = 125;
export const exclamationMark = 33;
export const backslash = 92;
export const byteOrderMark = 0xfeff;

/** What stands behind the last character: the text itself never has it. */
export const endOfText = 0;

export const isLineBreak = (code: number): boolean => code === lineFeed || code === 13;
export const isBlank = (code: number): boolean => code === tab || code === space;
export const isBlankOrBreak = (code: number): boolean => isBlank(code) || isLineBreak(code);
export const isBlankBreakOrEnd = (code: number): boolean => code === endOfText || isBlankOrBreak(code);
export const isFlowIndicator = (code: number): boolean =>
  code === comma || code === openBracket || code === closeBracket || code === openBrace || code === closeBrace;
