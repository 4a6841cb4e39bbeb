/** Of ingress-nginx: its retirement is why Ingresses are translated. */
export const annotationPrefix = "nginx.ingress.kubernetes.io/";

/** Annotations that are translated, each by the file that does it. */
export const translatedAnnotations: ReadonlySet<string> = new Set([
  // plan-rule-filters.ts
  "app-root",
  "cors-allow-credentials",
  "cors-allow-headers",
  "cors-allow-methods",
  "cors-allow-origin",
  "cors-expose-headers",
  "cors-max-age",
  "enable-cors",
  "permanent-redirect",
  "permanent-redirect-code",
  "rewrite-target",
  "temporal-redirect",
  "temporal-redirect-code",
  "upstream-vhost",
  "x-forwarded-prefix",
  // translate-ingresses.ts
  "backend-protocol",
  "canary",
  "canary-by-header",
  "canary-by-header-value",
  "canary-weight",
  "canary-weight-total",
  "force-ssl-redirect",
  "proxy-read-timeout",
  "server-alias",
  "ssl-redirect",
  "use-regex",
]);

/** Why others have no equivalent, where there is something better to write than that. */
export const reasons: Readonly<Record<string, string>> = {
  affinity: "session persistence is in the experimental channel only (HTTPRouteRule.sessionPersistence)",
  "auth-url": "external authorization is in the experimental channel only (HTTPRouteFilter.externalAuth)",
  "backend-protocol":
    "only HTTP, GRPC and GRPCS are translated; HTTPS needs a BackendTLSPolicy with the backend's authority",
  "canary-by-cookie": "a route matches cookies by a regular expression of the header Cookie only",
  "canary-by-header-pattern": "write a match of type RegularExpression",
  "configuration-snippet": "snippets of nginx's configuration have no equivalent",
  "mirror-target": "a mirror goes to a Service (HTTPRouteFilter.requestMirror), not to a URL",
  "proxy-ssl-secret": "write a BackendTLSPolicy with the backend's authority",
  "rewrite-target": "a target with groups of a regular expression has no equivalent",
  "server-snippet": "snippets of nginx's configuration have no equivalent",
  "ssl-passthrough": "write a TLSRoute to a listener of protocol TLS with mode Passthrough",
};
