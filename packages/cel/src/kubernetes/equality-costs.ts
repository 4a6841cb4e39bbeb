import { operators } from "../ast/operators.js";
import { costs } from "../cost/factors.js";
import { type CallEstimator, fixed, multiplyByFactor } from "../declarations/estimate.js";
import { type Library } from "../library/library.js";
import { isExactType } from "../types/type.js";
import { OpaqueValue } from "../values/value.js";

/** Types whose values are compared at once. */
const scalars: ReadonlySet<string> = new Set([
  "net.IP",
  "net.CIDR",
  "kubernetes.Quantity",
  "kubernetes.Semver",
  "kubernetes.authorization.Authorizer",
  "kubernetes.authorization.PathCheck",
  "kubernetes.authorization.GroupCheck",
  "kubernetes.authorization.ResourceCheck",
  "kubernetes.authorization.Decision",
]);

/** The longest name of a format. */
const longestFormat = 64n;

const estimateEquality: CallEstimator = (_estimator, _target, [left, right]) => {
  if (left === undefined || right === undefined || !isExactType(left.type, right.type)) return undefined;
  const { name } = left.type;
  if (scalars.has(name)) return { cost: fixed(1) };
  const compared = (max: bigint) => ({ cost: multiplyByFactor({ min: 1n, max }, costs.stringTraversal) });
  if (name === "kubernetes.NamedFormat") return compared(longestFormat);
  // Of two URLs, upstream looks at the size of the second only.
  return name === "kubernetes.URL" ? compared(right.size?.max ?? 1n) : undefined;
};

/** What `==` costs between values of Kubernetes' types; `!=` goes by their sizes, as it does for all others. */
export const equalityCosts: Library = {
  name: "kubernetes.equalityCosts",
  functions: [
    {
      name: operators.equals,
      overloads: [],
      estimateCost: estimateEquality,
      trackCost: ([left]) => (left instanceof OpaqueValue ? 1 : undefined),
    },
  ],
};
