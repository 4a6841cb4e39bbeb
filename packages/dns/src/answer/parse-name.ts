import { splitLabels } from "@coxswain/wire/dns";

/** What a name below the cluster's domain asks for; empty texts are not part of the name. */
export interface NameParts {
  readonly under: "svc" | "pod";
  readonly namespace: string;
  /** Of a service, or `a-b-c-d` of a pod. */
  readonly service: string;
  readonly endpoint: string;
  /** Without underscore. */
  readonly port: string;
  readonly protocol: string;
}

export type ParsedName = { kind: "apex" } | { kind: "unknown" } | { kind: "parts"; parts: NameParts };

/**
 * `[[_port._protocol.]service.]namespace.svc` or `[endpoint.]service.namespace.svc`, and the same with `pod`; `below` is in lower case. As
 * `parseRequest` in `plugin/kubernetes/parse.go` of CoreDNS: a port needs no underscore, and `svc` itself is as empty as the domain.
 */
export function parseName(below: string): ParsedName {
  if (below === "" || below === "svc" || below === "pod") return { kind: "apex" };
  const labels = splitLabels(below);
  const [under, namespace = "", service = "", third = "", fourth = "", ...more] = labels.toReversed();
  if ((under !== "svc" && under !== "pod") || more.length > 0) return { kind: "unknown" };
  const isPort = fourth !== "";
  return {
    kind: "parts",
    parts: {
      under,
      namespace,
      service,
      endpoint: isPort ? "" : third,
      protocol: isPort ? withoutUnderscore(third) : "",
      port: isPort ? withoutUnderscore(fourth) : "",
    },
  };
}

const withoutUnderscore = (label: string): string => (label.startsWith("_") ? label.slice(1) : label);
