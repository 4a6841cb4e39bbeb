/**
 * How deep objects and lists may be nested.
 * Upstream allows 10,000; JavaScript engines give up their stack between 3,000 and 5,000 levels, and what is stored must be safe for every walk over it.
 */
export const maxDepth = 1_000;
