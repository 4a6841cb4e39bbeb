/**
 * `usual`: those whose work needs no running pods: they clean up, issue and publish. Controllers of workloads, endpoints, volumes and
 * nodes stay out, since tests written for envtest set those statuses themselves and would have them overwritten.
 */
const usual = [
  "garbage-collector-controller",
  "namespace-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "legacy-serviceaccount-token-cleaner-controller",
  "root-ca-certificate-publisher-controller",
  "resourcequota-controller",
  "clusterrole-aggregation-controller",
  "certificatesigningrequest-signing-controller",
  "certificatesigningrequest-cleaner-controller",
  "persistentvolumeclaim-protection-controller",
  "persistentvolume-protection-controller",
  "ttl-after-finished-controller",
  "validatingadmissionpolicy-status-controller",
  "service-cidr-controller",
];

/**
 * kube-apiserver has no flag for this, so a variable of the environment names them: as `--controllers` does, `*` for all and `-name` for all
 * but one, and `usual` for those above. Without it there are none, as with the usual assets: suites written for envtest count
 * the objects that they find, or play the garbage collector themselves.
 */
export function envtestControllers(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const asked = (environment["COXSWAIN_ENVTEST_CONTROLLERS"] ?? "").split(",").filter((name) => name !== "");
  const without = new Set(asked.filter((name) => name.startsWith("-")).map((name) => name.slice(1)));
  return asked.flatMap((word) => (word === "usual" ? usual.filter((name) => !without.has(name)) : [word]));
}
