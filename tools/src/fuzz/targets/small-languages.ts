import { JsonPathError, parseJsonPath } from "@coxswain/apimachinery/jsonpath";
import { parseAccept, parseMediaType } from "@coxswain/apimachinery/negotiation";
import { parseQuantity, QuantityError } from "@coxswain/apimachinery/quantity";
import { compileRegexp, RegexpError } from "@coxswain/apimachinery/regexp";
import { canonicalDuration, canonicalMicroTime, canonicalTime } from "@coxswain/apimachinery/time";
import { accepts, BrokenPromise, type FuzzTarget, seed, textOf } from "../fuzz-target.js";

/** Accept and Content-Type. */
export function mediaTypeTarget(): FuzzTarget {
  return {
    name: "media-types",
    seeds: [
      "application/json;as=Table;v=v1;g=meta.k8s.io,application/yaml;q=0.5, */*",
      'text/plain; charset="utf-8\\""',
    ].map(seed),
    words: ["application/", "json", "*/*", ";q=", ";as=Table", '"', "\\", ",", ";", "=", " ", "1e9", "."],
    run(input) {
      const text = textOf(input);
      parseAccept(text);
      return parseMediaType(text) !== undefined;
    },
  };
}

export function quantityTarget(): FuzzTarget {
  const tooLarge = parseQuantity("1000E");
  return {
    name: "quantities",
    seeds: ["100m", "1.5Gi", "-12e-3", "+.5E6", "9223372036854775807", "0.000000001n", `214${"0".repeat(36)}`].map(
      seed,
    ),
    words: ["Ki", "Mi", "Gi", "n", "u", "m", "k", "E", "e-", "e+", ".", "-", "+", "0000", "999999999"],
    maxLength: 200,
    run: (input) =>
      accepts(() => {
        const quantity = parseQuantity(textOf(input));
        const again = parseQuantity(quantity.toString());
        // Upstream has no suffix for 10^21 and its powers, and writes such amounts without one.
        if (quantity.format === "DecimalSI" && quantity.compare(tooLarge) * quantity.sign >= 0) return;
        // Exponents are int32 upstream, too, and overflow when zeros of the mantissa are moved into them.
        if (Math.abs(quantity.scale) > 2 ** 31 - 1024) return;
        if (again.compare(quantity) !== 0) throw new BrokenPromise("a quantity's text is another amount");
        if (again.toString() !== quantity.toString()) throw new BrokenPromise("a quantity's text is not canonical");
      }, QuantityError),
  };
}

/** Times and durations: a canonical text stays what it is. */
export function timeTarget(): FuzzTarget {
  const forms = [canonicalTime, canonicalMicroTime, canonicalDuration];
  return {
    name: "times",
    seeds: ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456+02:00", "1h2m3.5s", "-5ns"].map(seed),
    words: ["T", "Z", "+02:00", "-00:00", ":", ".", "0000-00-00", "9999-12-31", "h", "ms", "µs", "23:59:60"],
    maxLength: 200,
    run(input) {
      const text = textOf(input);
      let isRead = false;
      for (const form of forms) {
        const canonical = form(text);
        if (canonical === undefined || canonical === null) continue;
        isRead = true;
        if (form(canonical) !== canonical) throw new BrokenPromise(`${canonical} is not canonical`);
      }
      return isRead;
    },
  };
}

/** Go's regular expressions: found in the order that they are in, on themselves. */
export function regexpTarget(): FuzzTarget {
  return {
    name: "regexps",
    seeds: [
      "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
      "(?i)(a|b*)+?c{2,3}\\d",
      "[[:alpha:]]\\pL\\x{10FFFF}(?P<n>.)\\b",
      "(?s:.)\\Q*\\E",
    ].map(seed),
    words: [
      "(?:",
      "(?i)",
      "(",
      ")",
      "[",
      "]",
      "[^",
      "*",
      "+?",
      "{2,}",
      "{1,1000}",
      "|",
      "\\p{Greek}",
      "\\b",
      "\\Q",
      "\\E",
      "[[:alpha:]]",
      "^",
      "$",
      ".",
    ],
    maxLength: 300,
    run(input) {
      const text = textOf(input);
      return accepts(() => {
        const regexp = compileRegexp(text);
        const subject = `${text}aaaaaaaaab`;
        const match = regexp.find(subject);
        if ((match !== undefined) !== regexp.test(subject)) throw new BrokenPromise("test and find disagree");
      }, RegexpError);
    },
  };
}

const data = { a: [{ b: "c", d: 1 }, { b: "e" }], "f.g": { h: true } };

export function jsonPathTarget(): FuzzTarget {
  return {
    name: "jsonpaths",
    seeds: [
      "{.a[0].b}",
      "{range .a[*]}{.b}{'\\n'}{end}",
      '{.a[?(@.b=="c")].d} {.f\\.g.h}',
      "{..b}{.a[-1:]}{['a','b']}",
    ].map(seed),
    words: ["{", "}", ".", "..", "[", "]", "*", "?(", "@", "==", "<=", "'", '"', "range ", "end", ":", ",", "-1", "\\"],
    maxLength: 300,
    run: (input) => accepts(() => parseJsonPath(textOf(input)).print(data, { allowMissingKeys: true }), JsonPathError),
  };
}
