import { matchesTextFormat } from "@coxswain/apimachinery/structural-schema";
import {
  checkLabelKey,
  checkLabelValue,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  type Problems,
  requestUriError,
} from "@coxswain/apimachinery/validation";
import { costs } from "../cost/factors.js";
import { multiplyByFactor, sizeOfNode } from "../declarations/estimate.js";
import { type FunctionDeclaration } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { listType, objectType, optionalType, stringType } from "../types/type.js";
import { ArrayList } from "../values/list-value.js";
import { sizeOf } from "../values/type-of.js";
import { OpaqueValue, OptionalValue, optionalNone, type Value } from "../values/value.js";
import { searchCost } from "./text-costs.js";

export const formatType = objectType("kubernetes.NamedFormat");

interface FormatRules {
  /** As upstream names it (k8s.io/apiserver/pkg/cel/library/format.go, Name), which is not always as expressions do. */
  readonly name: string;
  readonly check: (text: string) => Problems;
  /** The length of the regular expression, or of one that would do the same: what checking costs. */
  readonly regexpSize: number;
}

export class FormatValue extends OpaqueValue {
  readonly type = formatType;
  readonly rules: FormatRules;
  constructor(rules: FormatRules) {
    super();
    this.rules = rules;
  }
  override canEqual(other: Value): boolean {
    return other instanceof FormatValue;
  }
  equals(other: Value): boolean {
    return other instanceof FormatValue && other.rules.name === this.rules.name;
  }
  toString(): string {
    return this.rules.name;
  }
}

const textFormat = (format: string, problem: string, regexpSize: number): FormatRules => ({
  name: format,
  check: (text) => (matchesTextFormat(text, format) ? [] : [problem]),
  regexpSize,
});

function checkUri(text: string): Problems {
  const error = requestUriError(text);
  return error === undefined ? [] : [error];
}

/** The lengths of upstream's patterns. */
const regexpSizes = { label: 30, subdomain: 60, labelValue: 40, uri: 1103, uuid: 70, base64: 84, dateTime: 71 };

const formats: ReadonlyMap<string, FormatValue> = new Map(
  Object.entries<FormatRules>({
    dns1123Label: { name: "DNS1123Label", check: (text) => nameIsDnsLabel(text), regexpSize: regexpSizes.label },
    dns1123Subdomain: {
      name: "DNS1123Subdomain",
      check: (text) => nameIsDnsSubdomain(text),
      regexpSize: regexpSizes.subdomain,
    },
    dns1035Label: { name: "DNS1035Label", check: (text) => nameIsDns1035Label(text), regexpSize: regexpSizes.label },
    qualifiedName: { name: "QualifiedName", check: checkLabelKey, regexpSize: regexpSizes.subdomain },
    dns1123LabelPrefix: {
      name: "DNS1123LabelPrefix",
      check: (text) => nameIsDnsLabel(text, true),
      regexpSize: regexpSizes.label,
    },
    dns1123SubdomainPrefix: {
      name: "DNS1123SubdomainPrefix",
      check: (text) => nameIsDnsSubdomain(text, true),
      regexpSize: regexpSizes.subdomain,
    },
    dns1035LabelPrefix: {
      name: "DNS1035LabelPrefix",
      check: (text) => nameIsDns1035Label(text, true),
      regexpSize: regexpSizes.label,
    },
    labelValue: { name: "LabelValue", check: checkLabelValue, regexpSize: regexpSizes.labelValue },
    uri: { name: "URI", check: checkUri, regexpSize: regexpSizes.uri },
    uuid: textFormat("uuid", "does not match the UUID format", regexpSizes.uuid),
    byte: textFormat("byte", "invalid base64", regexpSizes.base64),
    date: textFormat("date", "invalid date", regexpSizes.dateTime),
    datetime: textFormat("datetime", "invalid datetime", regexpSizes.dateTime),
  }).map(([name, rules]) => [name, new FormatValue(rules)]),
);

/** What estimates take for the length of any format's pattern. */
const largestNameRegexp = 128;

const validate: FunctionDeclaration = {
  name: "validate",
  overloads: [
    {
      id: "format-validate",
      args: [formatType, stringType],
      result: optionalType(listType(stringType)),
      isMember: true,
      implementation(format, text) {
        const problems = (format as FormatValue).rules.check(text as string);
        return problems.length === 0 ? optionalNone : new OptionalValue(new ArrayList(problems));
      },
      estimateCost(estimator, _target, [text]) {
        if (text === undefined) return undefined;
        const read = multiplyByFactor(sizeOfNode(estimator, text), costs.stringTraversal);
        return { cost: multiplyByFactor(read, largestNameRegexp * costs.regexLength) };
      },
      trackCost: ([format, text]) =>
        format instanceof FormatValue ? searchCost(sizeOf(text as Value), format.rules.regexpSize) : undefined,
    },
  ],
};

const named: FunctionDeclaration = {
  name: "format.named",
  overloads: [
    {
      id: "format-named",
      args: [stringType],
      result: optionalType(formatType),
      implementation(name) {
        const format = formats.get(name as string);
        return format === undefined ? optionalNone : new OptionalValue(format);
      },
    },
  ],
};

/** Formats of names and strings; since 1.31. */
export const formatLibrary: Library = {
  name: "kubernetes.format",
  functions: [
    validate,
    named,
    ...[...formats].map(
      ([name, format]): FunctionDeclaration => ({
        name: `format.${name}`,
        overloads: [{ id: `format.${name}`, args: [], result: formatType, implementation: () => format }],
      }),
    ),
  ],
};
