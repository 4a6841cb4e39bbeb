/** A difference that stays, and why. */
export interface AcceptedDifference {
  /** Of the subject's name, "pods"; any when left out. */
  readonly kind?: RegExp;
  /** Of the case's sentence; any when left out. */
  readonly sentence?: RegExp;
  /** Of the path within the answer. */
  readonly path: RegExp;
  /** A pattern for upstream's value there, as JSON. */
  readonly want?: RegExp;
  /** A pattern for our value there, as JSON. */
  readonly got?: RegExp;
  /** Whether the two are equivalent in spite of it. */
  readonly alike?: (want: string, got: string) => boolean;
  readonly reason: string;
}

const causes = /^body\.(message|details\.causes)/;
const sorted = (text: string): string => [...text].sort().join("");

/** Every accepted difference. One that no case shows any more is to be deleted. */
export const ledger: readonly AcceptedDifference[] = [
  {
    path: /^status$/,
    want: /^0$/,
    reason: "The handler of kube-apiserver panics, and the connection breaks.",
  },
  {
    kind: /^horizontalpodautoscalers\./,
    path: causes,
    alike: (want, got) => sorted(want) === sorted(got),
    reason: "Upstream goes through a map of metric sources, in any order.",
  },
  {
    kind: /^horizontalpodautoscalers\./,
    path: causes,
    want: /^"spec\.metrics\[\d\]\.\w+"$/,
    got: /^"spec\.metrics\[\d\]\.\w+"$/,
    reason: "The same map of metric sources.",
  },
  {
    kind: /^resourceslices\./,
    path: causes,
    alike: (want, got) => sorted(want) === sorted(got),
    reason:
      "Upstream goes through the map of a device's capacities, in any order (validateMap in pkg/apis/resource/validation).",
  },
  {
    kind: /^resourceslices\./,
    path: causes,
    want: /^"spec\.devices\[\d\]\.capacity\[[^\]]+\]\.\w+"$/,
    got: /^"spec\.devices\[\d\]\.capacity\[[^\]]+\]\.\w+"$/,
    reason: "The same map of capacities.",
  },
  {
    kind: /^custom/,
    path: /^body\.message$/,
    want: /field not declared in schema/,
    got: /field not declared in schema/,
    reason:
      "Upstream goes through the members of what is applied in any order, and stops at the first that it does not know.",
  },
  {
    kind: /^custom/,
    sentence: /: list v2$|^delete all$/,
    path: /^(status|headers|body)/,
    want: /storage is \(re\)initializing/,
    reason:
      "Upstream keeps a cache for each version, which cannot be filled while an object cannot be converted, and for a while afterwards: lists are answered with 429 meanwhile. Ours converts when it is asked, and reports what the webhook did.",
  },
  {
    kind: /^custom/,
    path: /^headers\.warning$/,
    alike: (want, got) => sorted(want) === sorted(got),
    reason:
      "Upstream goes through the members of an object in any order, and warns of rules that are ratcheted in that order.",
  },
  {
    path: /^body\.message$/,
    want: /failed to (create typed (live|patch) object|convert (new|live) object .* to smd typed).*errors:\\n/,
    alike: (want, got) => sorted(want) === sorted(got),
    reason:
      "Upstream goes through the members of what is stored or applied in any order, and reports all that do not fit their type. Ours reports them in the order of the members.",
  },
];
