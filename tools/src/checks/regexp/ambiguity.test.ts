import { describe, expect, it } from "vitest";
import { growthOf } from "./ambiguity.js";
import { parsePattern } from "./parse-pattern.js";

const cases: readonly { readonly name: string; readonly pattern: RegExp; readonly growth: string }[] = [
  { name: "a repetition before an end anchor, tried at every position", pattern: /\s+$/, growth: "polynomial" },
  { name: "the same behind a start anchor", pattern: /^\s+$/, growth: "linear" },
  { name: "slashes trimmed at both ends", pattern: /^\/+|\/+$/g, growth: "polynomial" },
  { name: "slashes trimmed at the start alone", pattern: /^\/+/, growth: "linear" },
  { name: "a repetition before a separator", pattern: /\s*,\s*/, growth: "polynomial" },
  { name: "a separator alone", pattern: /,/, growth: "linear" },
  { name: "a repetition that nothing has to follow", pattern: /[0-9]+/g, growth: "linear" },
  { name: "a repetition that something has to follow", pattern: /[0-9]+x/, growth: "polynomial" },
  { name: "two repetitions that overlap", pattern: /^a*a*$/, growth: "polynomial" },
  { name: "two repetitions that do not overlap", pattern: /^a*b*$/, growth: "linear" },
  { name: "two repetitions with a separator that both may hold", pattern: /^.*,.*$/, growth: "polynomial" },
  { name: "two repetitions with a separator that the first may not hold", pattern: /^[^,]*,.*$/, growth: "linear" },
  { name: "a repetition of a repetition", pattern: /^(?:a+)+$/, growth: "exponential" },
  { name: "a repetition of a choice that overlaps", pattern: /^(?:a|ab|b)*$/, growth: "exponential" },
  { name: "a repetition of a choice that does not overlap", pattern: /^(?:a|b)*$/, growth: "linear" },
  { name: "a repetition of parts with separators", pattern: /^[a-z]+(?:\.[a-z]+)*$/, growth: "linear" },
  { name: "a DNS label", pattern: /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/, growth: "linear" },
  {
    name: "a DNS subdomain",
    pattern: /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/,
    growth: "linear",
  },
  { name: "a quoted text, searched for", pattern: /"[^"]*"/, growth: "linear" },
  { name: "a tag, searched for", pattern: /<[^>]*>/, growth: "polynomial" },
  { name: "a tag that holds no opening bracket", pattern: /<[^<>]*>/, growth: "linear" },
  { name: "a large bounded repetition of a repetition", pattern: /^(?:a+){1,50}$/, growth: "exponential" },
  { name: "a small bounded repetition", pattern: /a{1,3}$/, growth: "linear" },
  { name: "an end anchor of a line", pattern: /[ \t]+$/m, growth: "polynomial" },
  { name: "a start anchor of a line", pattern: /^[ \t]+/m, growth: "linear" },
  { name: "a whole line", pattern: /^CN=(.+)$/m, growth: "linear" },
  { name: "blank lines, tried at each of them", pattern: /^\s*#/m, growth: "polynomial" },
  {
    name: "a repetition of several characters that may end after each",
    pattern: /(?:%[0-9a-f]{2})+/,
    growth: "linear",
  },
  { name: "a quoted text with escapes, searched for", pattern: /"(?:[^"\\]|\\.)*"/, growth: "polynomial" },
  { name: "the same where the quote at its end may be missing", pattern: /"(?:[^"\\]|\\.)*"?/, growth: "linear" },
  { name: "an escape that may take a character or not", pattern: /^"(?:[^"\\]|\\.?)*"/, growth: "exponential" },
  { name: "an operator, then anything", pattern: /^([^]*?)(!=|==|=)([^]*)$/, growth: "linear" },
  { name: "an operator, then anything on one line", pattern: /^([^]*?)(!=|==|=)(.*)$/, growth: "polynomial" },
  { name: "a repetition before a word boundary", pattern: /a+\b/, growth: "polynomial" },
  { name: "a lookahead that scans from every position", pattern: /a(?=.*b)/, growth: "polynomial" },
  { name: "a lookahead of one character", pattern: /a(?!b)/, growth: "linear" },
  { name: "letters in either case", pattern: /^a*A*$/i, growth: "polynomial" },
  { name: "letters in one case", pattern: /^a*A*$/, growth: "linear" },
  { name: "Unicode properties that overlap", pattern: /^\p{L}*\p{Lu}*$/u, growth: "polynomial" },
  { name: "a sticky pattern is tried once", pattern: /\s+x/y, growth: "linear" },
  { name: "a back reference", pattern: /^(a*)\1$/, growth: "unknown" },
  { name: "a block of PEM", pattern: /-----BEGIN [^-]+-----\n[^-]*-----END [^-]+-----/, growth: "linear" },
  { name: "blank lines before a block of PEM", pattern: /\s*-----BEGIN/, growth: "polynomial" },
];

describe("the growth of a pattern's work", () => {
  for (const { name, pattern, growth } of cases)
    it(`${name}: ${growth}`, () => expect(growthOf(parsePattern(pattern.source), pattern.flags).kind).toBe(growth));
});
