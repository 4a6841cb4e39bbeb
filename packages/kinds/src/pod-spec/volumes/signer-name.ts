import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid, quoteGo, required, tooLong } from "@coxswain/apimachinery/field";
import {
  checkDnsLabel,
  checkDnsSubdomain,
  dnsLabelMaxLength,
  dnsSubdomainMaxLength,
  nameIsDnsSubdomain,
  type Problems,
  utf8Length,
} from "@coxswain/apimachinery/validation";

/** A domain, a slash, and room for `<namespace>.<name>`. */
const longestSignerName = 2 * dnsSubdomainMaxLength + dnsLabelMaxLength + 2;

export function isKubernetesSigner(signerName: string): boolean {
  const host = signerName.split("/", 1)[0] ?? "";
  return host === "kubernetes.io" || host.endsWith(".kubernetes.io");
}

/** `example.com/signer-name` */
export function checkSignerName(signerName: string, path: FieldPath): FieldError[] {
  if (signerName === "") return [required(path)];
  const segments = signerName.split("/");
  const [domain = "", own = ""] = segments;
  if (segments.length !== 2)
    return [
      invalid(path, signerName, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  const errors = utf8Length(domain) > dnsSubdomainMaxLength ? [tooLong(path, dnsSubdomainMaxLength)] : [];
  append(errors, checkParts(domain, checkDnsLabel, path));
  if (!domain.includes("."))
    errors.push(invalid(path, domain, "should be a domain with at least two segments separated by dots"));
  append(errors, checkParts(own, checkDnsSubdomain, path));
  if (utf8Length(signerName) > longestSignerName) errors.push(tooLong(path, longestSignerName));
  return errors;
}

/** Only the first invalid part is reported: the errors of the others would be the same. */
function checkParts(segment: string, check: (label: string) => Problems, path: FieldPath): FieldError[] {
  for (const label of segment.split(".")) {
    const problems = check(label);
    if (problems.length > 0)
      return problems.map((problem) => invalid(path, segment, `validating label ${quoteGo(label)}: ${problem}`));
  }
  return [];
}

/** The name of a ClusterTrustBundle: with a signer it begins with the signer's name, colons for slashes. */
export function checkTrustBundleName(name: string): Problems {
  const colon = name.lastIndexOf(":");
  if (colon < 0) return nameIsDnsSubdomain(name);
  const prefix = name.slice(0, colon + 1).replaceAll("/", ":");
  if (name.startsWith(prefix)) return nameIsDnsSubdomain(name.slice(colon + 1));
  return [
    `ClusterTrustBundle for signerName ${name.slice(0, colon).replaceAll(":", "/")} must be named with prefix ${prefix}`,
  ];
}
