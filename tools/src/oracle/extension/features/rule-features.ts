import type { Json, JsonObject } from "../../../record/index.js";
import type { Feature } from "./feature.js";

const rules = (...list: readonly JsonObject[]): { readonly "x-kubernetes-validations": readonly Json[] } => ({
  "x-kubernetes-validations": list,
});
const text = { type: "string", maxLength: 30 } as const;

/** Rules in CEL: messages, reasons, paths, transitions, libraries, and errors while they are evaluated. */
export const ruleFeatures: readonly Feature[] = [
  {
    name: "ruledNumber",
    schema: {
      type: "integer",
      ...rules({ rule: "self % 2 == 0" }, { rule: "self < 100", message: "is below a hundred" }),
    },
    valid: [2, 50],
    odd: [3, 101, 100, "x"],
  },
  {
    name: "ruledMessage",
    schema: {
      ...text,
      ...rules({
        rule: "self.startsWith('a')",
        messageExpression: "'starts with a, not ' + self",
        message: "fallback",
      }),
    },
    valid: ["abc"],
    odd: ["bcd", "", "b\nc"],
  },
  {
    name: "ruledBrokenMessage",
    schema: {
      ...text,
      ...rules({ rule: "self == 'a'", messageExpression: "self.substring(5)", message: "the fallback" }),
    },
    valid: ["a"],
    odd: ["b", "bbbbbbbbb"],
  },
  {
    name: "ruledEmptyMessage",
    schema: { ...text, ...rules({ rule: "self == 'a'", messageExpression: "self.trim()" }) },
    valid: ["a"],
    odd: ["  ", "b", "b\nb"],
  },
  {
    name: "ruledReasons",
    schema: {
      type: "object",
      properties: {
        a: text,
        b: text,
        c: text,
        d: { type: "array", maxItems: 3, items: text },
        m: { type: "object", maxProperties: 3, additionalProperties: text },
      },
      ...rules(
        { rule: "!has(self.a) || self.a != 'x'", reason: "FieldValueForbidden", fieldPath: ".a" },
        { rule: "has(self.b)", reason: "FieldValueRequired", fieldPath: ".b", message: "b is needed" },
        { rule: "!has(self.c) || self.c.size() < 4", reason: "FieldValueInvalid", fieldPath: ".c" },
        {
          rule: "!has(self.d) || self.d.all(x, self.d.exists_one(y, x == y))",
          reason: "FieldValueDuplicate",
          fieldPath: ".d",
        },
        {
          rule: "!has(self.m) || !('no' in self.m)",
          fieldPath: ".m.no",
          messageExpression: "'no is there: ' + self.m['no']",
        },
      ),
    },
    valid: [{ b: "1" }, { a: "y", b: "1", c: "abc", d: ["p", "q"] }],
    odd: [{}, { a: "x" }, { a: "x", b: "1", c: "long enough" }, { b: "1", d: ["p", "p"] }, { b: "1", m: { no: "n" } }],
  },
  {
    name: "ruledTransition",
    schema: { type: "integer", ...rules({ rule: "self >= oldSelf", message: "only grows" }) },
    valid: [5, 9],
    odd: [4, -1],
  },
  {
    name: "ruledImmutable",
    schema: { ...text, ...rules({ rule: "self == oldSelf", reason: "FieldValueForbidden", message: "is immutable" }) },
    valid: ["kept"],
    odd: ["changed", ""],
  },
  {
    name: "ruledOptionalOld",
    schema: {
      ...text,
      ...rules({
        rule: "oldSelf.hasValue() ? self.size() >= oldSelf.value().size() : self.size() > 1",
        optionalOldSelf: true,
        message: "grows",
      }),
    },
    valid: ["abc", "abcd"],
    odd: ["a", "ab", ""],
  },
  {
    name: "ruledOptionalOr",
    schema: { type: "integer", ...rules({ rule: "oldSelf.orValue(0) <= self", optionalOldSelf: true }) },
    valid: [3],
    odd: [-1, 2],
  },
  {
    name: "ruledItems",
    schema: {
      type: "array",
      maxItems: 5,
      items: {
        type: "object",
        properties: { name: text, size: { type: "integer" } },
        ...rules({ rule: "!has(self.size) || self.size > 0", fieldPath: ".size" }),
      },
      ...rules({ rule: "self.size() < 4", message: "three at most" }),
    },
    valid: [[{ name: "a", size: 1 }], []],
    odd: [[{ size: 0 }], [{}, {}, {}, {}], [{ size: 1 }, { size: -1 }, { size: 0 }, { size: 2 }]],
  },
  {
    name: "ruledMapItems",
    schema: {
      type: "array",
      maxItems: 5,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: text, value: { ...text, ...rules({ rule: "self == oldSelf", message: "values stay" }) } },
      },
    },
    valid: [
      [
        { name: "a", value: "1" },
        { name: "b", value: "2" },
      ],
    ],
    odd: [
      [
        { name: "b", value: "2" },
        { name: "a", value: "x" },
      ],
      [{ name: "c", value: "9" }],
      [{ name: "a" }],
    ],
  },
  {
    name: "ruledValues",
    schema: {
      type: "object",
      maxProperties: 5,
      additionalProperties: { ...text, ...rules({ rule: "self != 'bad'" }, { rule: "self.size() >= oldSelf.size()" }) },
    },
    valid: [{ a: "one", b: "two" }],
    odd: [{ a: "bad" }, { a: "o", b: "bad" }, { c: "bad" }],
  },
  {
    name: "ruledErrors",
    schema: {
      type: "object",
      properties: {
        at: { type: "integer" },
        list: { type: "array", maxItems: 3, items: { type: "integer" } },
        t: text,
      },
      ...rules(
        { rule: "self.list[self.at] > 0" },
        { rule: "10 / self.at > 1", message: "divides" },
        { rule: "int(self.t) > 0 || self.at == 0" },
      ),
    },
    valid: [{ at: 1, list: [0, 2], t: "1" }],
    odd: [{ at: 5, list: [1], t: "1" }, { at: 0, list: [1], t: "x" }, {}, { at: 1, list: [0, 2], t: "x" }],
  },
  {
    name: "ruledTimes",
    schema: {
      type: "object",
      properties: {
        from: { type: "string", format: "date-time" },
        to: { type: "string", format: "date-time" },
        wait: { type: "string", format: "duration" },
        day: { type: "string", format: "date" },
        raw: { type: "string", format: "byte", maxLength: 20 },
      },
      ...rules(
        { rule: "!has(self.from) || !has(self.to) || self.from < self.to", message: "from is before to" },
        { rule: "!has(self.wait) || self.wait <= duration('1h')" },
        { rule: "!has(self.day) || self.day.getFullYear() > 2000" },
        { rule: "!has(self.raw) || self.raw.size() == 1" },
        {
          rule: "!has(self.from) || !has(self.wait) || (self.from + self.wait).getHours() < 23",
          messageExpression: "(self.from + self.wait).getHours() > 22 ? 'ends too late' : 'ends'",
        },
      ),
    },
    valid: [{ from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", wait: "30m", day: "2026-01-01", raw: "eA==" }],
    odd: [
      { from: "2026-01-01T00:00:00Z", to: "2025-01-02T00:00:00Z" },
      { wait: "2h" },
      { day: "1999-01-01" },
      { raw: "eHg=" },
      { from: "2026-01-01T22:50:00Z", wait: "20m" },
      { wait: "soon" },
    ],
  },
  {
    name: "ruledIntOrString",
    schema: {
      "x-kubernetes-int-or-string": true,
      ...rules({ rule: "type(self) == int ? self > 0 : self.endsWith('%')" }),
    },
    valid: [1, "5%"],
    odd: [0, "5"],
  },
  {
    name: "ruledLibraries",
    schema: {
      type: "object",
      properties: {
        q: { "x-kubernetes-int-or-string": true },
        ip: text,
        url: text,
        re: text,
        list: { type: "array", maxItems: 4, items: { type: "integer" } },
        v: text,
        n: text,
      },
      ...rules(
        { rule: "!has(self.q) || quantity(string(self.q)).isLessThan(quantity('2Gi'))" },
        { rule: "!has(self.ip) || (isIP(self.ip) && cidr('10.0.0.0/8').containsIP(self.ip))" },
        { rule: "!has(self.url) || (isURL(self.url) && url(self.url).getScheme() == 'https')" },
        { rule: "!has(self.re) || self.re.find('[0-9]+') == '42'" },
        { rule: "!has(self.list) || (self.list.isSorted() && self.list.sum() < 10)" },
        { rule: "!has(self.v) || (isSemver(self.v) && semver(self.v).major() == 1)" },
        {
          rule: "!has(self.n) || !format.dns1123Label().validate(self.n).hasValue()",
          messageExpression: "format.dns1123Label().validate(self.n).value()[0]",
        },
        { rule: "!has(self.list) || self.list.transformList(i, x, x * i).size() == self.list.size()" },
      ),
    },
    valid: [{ q: "1Gi", ip: "10.1.2.3", url: "https://a", re: "x42", list: [1, 2], v: "1.2.3", n: "abc" }],
    odd: [
      { q: "3Gi" },
      { q: "x" },
      { ip: "11.0.0.1" },
      { ip: "x" },
      { url: "http://a" },
      { re: "43" },
      { list: [2, 1] },
      { list: [5, 6] },
      { v: "2.0.0" },
      { v: "x" },
      { n: "A_B" },
    ],
  },
  {
    name: "ruledEscaped",
    schema: {
      type: "object",
      properties: {
        namespace: text,
        "a-b": text,
        "a.b": text,
        "a/b": text,
        __x__: text,
        if: text,
        int: { type: "integer" },
      },
      ...rules(
        { rule: "!has(self.__namespace__) || self.__namespace__ == 'n'", fieldPath: ".namespace" },
        { rule: "!has(self.a__dash__b) || self.a__dash__b == 'n'", fieldPath: "['a-b']" },
        { rule: "!has(self.a__dot__b) || self.a__dot__b == 'n'", fieldPath: "['a.b']" },
        { rule: "!has(self.a__slash__b) || self.a__slash__b == 'n'" },
        { rule: "!has(self.__underscores__x__underscores__) || self.__underscores__x__underscores__ == 'n'" },
        { rule: "!has(self.__if__) || self.__if__ == 'n'" },
        { rule: "!has(self.int) || self.int == 1" },
      ),
    },
    valid: [{ namespace: "n", "a-b": "n", if: "n" }],
    odd: [{ namespace: "m" }, { "a-b": "m" }, { "a.b": "m" }, { "a/b": "m" }, { __x__: "m" }, { if: "m" }, { int: 2 }],
  },
  {
    name: "ruledSets",
    schema: {
      type: "array",
      maxItems: 4,
      "x-kubernetes-list-type": "set",
      items: text,
      ...rules(
        { rule: "oldSelf.all(x, x in self)", message: "nothing goes" },
        { rule: "self + ['z'] == ['z'] + self" },
        { rule: "sets.contains(['a','b','c','d'], self)" },
      ),
    },
    valid: [
      ["a", "b"],
      ["b", "a"],
    ],
    odd: [["a"], ["e"], ["a", "b", "x"]],
  },
  {
    name: "ruledEmbedded",
    schema: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      ...rules({
        rule: "self.metadata.name.startsWith('a')",
        messageExpression: "self.kind + ' ' + self.apiVersion + ' is called ' + self.metadata.name",
      }),
    },
    valid: [{ apiVersion: "v1", kind: "Pod", metadata: { name: "abc" } }],
    odd: [
      { apiVersion: "v1", kind: "Pod", metadata: { name: "b" } },
      { apiVersion: "v1", kind: "Pod" },
    ],
  },
  {
    name: "ruledCombined",
    schema: {
      type: "object",
      properties: { a: text, b: text },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
      ...rules({ rule: "!(has(self.a) && has(self.b))", message: "not both" }),
    },
    valid: [{ a: "x" }],
    odd: [{ a: "x", b: "y" }, {}],
  },
  {
    name: "ruledNullable",
    schema: {
      type: "object",
      properties: { a: { ...text, nullable: true } },
      ...rules({ rule: "!has(self.a) || self.a != ''" }),
    },
    valid: [{ a: null }, { a: "x" }],
    odd: [{ a: "" }],
  },
  {
    name: "ruledDefault",
    schema: {
      type: "object",
      default: {},
      properties: { n: { type: "integer", default: 1 } },
      ...rules({ rule: "!has(self.n) || self.n < 5" }),
    },
    valid: [{}, { n: 2 }],
    odd: [{ n: 5 }, { n: null }],
  },
  {
    name: "ruledCost",
    schema: {
      type: "array",
      maxItems: 100,
      items: { type: "integer" },
      ...rules({ rule: "self.all(a, self.all(b, a + b > -1))", message: "sums are not negative" }),
    },
    valid: [[1, 2]],
    odd: [[-1, -2], Array.from({ length: 100 }, (_, at) => at)],
  },
];
