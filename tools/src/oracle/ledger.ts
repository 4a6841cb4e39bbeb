/** A difference that stays, and why. */
export interface AcceptedDifference {
  /** Of the subject's name, "pods"; any when left out. */
  readonly kind?: RegExp;
  /** Of the case's sentence; any when left out. */
  readonly sentence?: RegExp;
  /** Of the path within the answer. */
  readonly path: RegExp;
  /** Of what upstream says there, as JSON. */
  readonly want?: RegExp;
  /** Of what we say there, as JSON. */
  readonly got?: RegExp;
  /** Whether the two say the same in spite of it. */
  readonly alike?: (want: string, got: string) => boolean;
  readonly reason: string;
}

const causes = /^body\.(message|details\.causes)/;
const warningsOf = (text: string): string[] => text.split(/, (?=299 )/);
const sorted = (text: string): string => [...text].sort().join("");

/** Every accepted difference. One that no case shows any more is to be deleted. */
export const ledger: readonly AcceptedDifference[] = [
  {
    path: /^headers\.warning$/,
    got: /Coxswain keeps this \w+ but does not act on it/,
    alike: (want, got) => warningsOf(got).filter((line) => !line.includes("Coxswain keeps this")).every((line) => want.includes(line)),
    reason: "We say what is stored and not acted upon yet.",
  },
  {
    kind: /^certificatesigningrequests\./,
    path: /spec\.extra$/,
    want: /credential-id/,
    reason: "Upstream notes the digest of the client's certificate with the request; ours does not name credentials yet.",
  },
  {
    kind: /^(customresourcedefinitions|apiservices|flowschemas)\./,
    path: /^body\.(metadata\.(managedFields|resourceVersion|generation)|status|rows\.0\.(cells|object\.metadata\.managedFields))/,
    reason: "Controllers inside kube-apiserver write the status of these as soon as they are there, so answers hang on their speed.",
  },
  {
    kind: /^(daemonsets|deployments)\.apps$/,
    path: /^body\.rows\.\d+\.object\.metadata\.annotations/,
    want: /^(undefined|)$/,
    got: /deprecated\.(daemonset\.template\.generation|deployment\.rollback\.to)/,
    reason: "Two annotations stand for members of versions that are long gone. Upstream turns them into those members on the way in, and leaves them out of the rows of a table. We keep annotations as they are.",
  },
  {
    kind: /^(daemonsets|deployments)\.apps$/,
    sentence: /metadata\.annotations\.deprecated\./,
    path: /^(status|body\.metadata\.managedFields\.\d+\.fieldsV1\.f:metadata\.f:annotations)/,
    reason: "The same annotations: upstream refuses what is no number in them, since it reads a member from them.",
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
    kind: /^services$/,
    path: /spec\.internalTrafficPolicy$/,
    want: /^$/,
    reason: "Upstream leaves internalTrafficPolicy out of what it reads of a service that is an external name, though it stores it.",
  },
];
