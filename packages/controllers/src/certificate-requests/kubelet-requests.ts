import type { RequestFacts } from "@coxswain/component/certificates";

const nodesOrganization = "system:nodes";
const nodePrefix = "system:node:";
const clientUsages = ["client auth", "digital signature", "key encipherment"];
const servingUsages = ["digital signature", "key encipherment", "server auth"];

/** Pure: why a request is none of a kubelet's client certificate; undefined: it is one. */
export function refuseKubeletClient(facts: RequestFacts, usages: readonly string[]): string | undefined {
  if (!isOfNodes(facts)) return "subject organization is not system:nodes";
  if (facts.dnsNames.length > 0) return "DNS subjectAltNames are not allowed";
  if (facts.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (facts.ipAddresses.length > 0) return "IP subjectAltNames are not allowed";
  if (facts.uris.length > 0) return "URI subjectAltNames are not allowed";
  if (!facts.commonName.startsWith(nodePrefix)) return "subject common name does not begin with system:node:";
  return refuseUsages(usages, clientUsages);
}

/** Pure: why a request is none of a kubelet's serving certificate; undefined: it is one. */
export function refuseKubeletServing(facts: RequestFacts, usages: readonly string[]): string | undefined {
  if (!isOfNodes(facts)) return "subject organization is not system:nodes";
  if (facts.dnsNames.length === 0 && facts.ipAddresses.length === 0) return "DNS or IP subjectAltName is required";
  if (facts.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (facts.uris.length > 0) return "URI subjectAltNames are not allowed";
  return (
    refuseUsages(usages, servingUsages) ??
    (facts.commonName.startsWith(nodePrefix) ? undefined : "subject common name does not begin with system:node:")
  );
}

const isOfNodes = ({ organizations }: RequestFacts): boolean =>
  organizations.length === 1 && organizations[0] === nodesOrganization;

/** Keys other than RSA cannot encipher keys: that usage may be missing. */
function refuseUsages(usages: readonly string[], required: readonly string[]): string | undefined {
  const given = new Set(usages);
  const isMissing = (usage: string): boolean => usage !== "key encipherment" && !given.has(usage);
  return required.some(isMissing) || [...given].some((usage) => !required.includes(usage))
    ? `usages did not match [${required.join(" ")}]`
    : undefined;
}
