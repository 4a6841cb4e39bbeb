/**
 * Those whose work needs no running pods: they clean up, issue and publish. Controllers of workloads, endpoints, volumes and
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

/** kube-apiserver has no flag for this, so a variable of the environment adds controllers, removes them, or asks for all ('*'). */
export function envtestControllers(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const asked = (environment["COXSWAIN_ENVTEST_CONTROLLERS"] ?? "").split(",").filter((name) => name !== "");
  const without = new Set(asked.filter((name) => name.startsWith("-")).map((name) => name.slice(1)));
  return [...usual.filter((name) => !without.has(name)), ...asked];
}
