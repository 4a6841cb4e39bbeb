export { compileRegexp, type Match, quoteRegexp, type Regexp, type Span } from "./regexp.js";
export { RegexpError } from "./syntax.js";
