import type { Ingress, IngressBackend } from "@coxswain/api/networking/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { gatewayGroup } from "../objects/gateway-objects.js";
import { annotationPrefix, reasons, translatedAnnotations } from "./annotation-table.js";
import { type Annotations, annotationsOf, isOn, planRuleFilters } from "./plan-rule-filters.js";

export interface TranslateOptions {
  readonly gatewayClassName: string;
  /** The number of a Service's port that has a name; undefined: it is not known. */
  portNumber(namespace: string, service: string, portName: string): number | undefined;
}

export interface Translation {
  readonly objects: readonly object[];
  /** What has no equivalent, one sentence each. */
  readonly notes: readonly string[];
}

const apiVersion = `${gatewayGroup}/v1`;

interface HostRoute {
  readonly ingress: DeepReadonly<Ingress>;
  readonly annotations: Annotations;
  readonly namespace: string;
  readonly host: string;
  readonly hostnames: readonly string[];
  readonly isTls: boolean;
  readonly paths: readonly IngressPath[];
}

interface IngressPath {
  readonly path: string;
  readonly pathType: string;
  readonly backend: DeepReadonly<IngressBackend>;
}

/** Pure: Gateways, one for each namespace, and routes, one for each host of an Ingress; with redirects to HTTPS as ingress-nginx makes them. */
export function translateIngresses(
  ingresses: readonly DeepReadonly<Ingress>[],
  options: TranslateOptions,
): Translation {
  const notes: string[] = ingresses.flatMap(notesOf);
  const all = ingresses.flatMap((ingress) => hostRoutesOf(ingress));
  const canaries = all.filter(({ annotations }) => isOn(annotations, "canary"));
  const plain = all.filter(({ annotations }) => !isOn(annotations, "canary"));
  const namespaces = [...new Set(plain.map(({ namespace }) => namespace))].sort();
  const gateways = namespaces.map((namespace) =>
    gatewayOf(
      namespace,
      plain.filter((route) => route.namespace === namespace),
      options,
    ),
  );
  const routes = plain.flatMap((route) => [
    routeOf(route, canaries, { options, notes }),
    ...(isRedirected(route) ? [redirectRoute(route)] : []),
  ]);
  return { objects: [...gateways, ...routes], notes: [...new Set(notes)] };
}

function hostRoutesOf(ingress: DeepReadonly<Ingress>): HostRoute[] {
  const { rules = [], defaultBackend, tls = [] } = ingress.spec ?? {};
  const annotations = annotationsOf(ingress.metadata?.annotations as Readonly<Record<string, string>> | undefined);
  const aliases = (annotations.get("server-alias") ?? "").split(",").flatMap((one) => one.trim() || []);
  const fallback: IngressPath[] = defaultBackend ? [{ path: "/", pathType: "Prefix", backend: defaultBackend }] : [];
  const shared = { ingress, annotations, namespace: ingress.metadata?.namespace ?? "default" };
  const routes = rules.map(({ host = "", http }): HostRoute => {
    const paths = (http?.paths ?? []).map(({ path = "/", pathType, backend }) => ({ path, pathType, backend }));
    const isWhole = paths.some(({ path, pathType }) => path === "/" && pathType !== "Exact");
    return {
      ...shared,
      host,
      hostnames: host === "" ? [] : [host, ...aliases],
      isTls: tls.some(({ hosts = [] }) => hosts.includes(host)),
      paths: isWhole ? paths : [...paths, ...fallback],
    };
  });
  const needsAny = defaultBackend && !rules.some(({ host }) => host === undefined);
  return needsAny ? [...routes, { ...shared, host: "", hostnames: [], isTls: false, paths: fallback }] : routes;
}

const isRedirected = ({ isTls, annotations }: HostRoute): boolean =>
  isOn(annotations, "force-ssl-redirect") || (isTls && annotations.get("ssl-redirect") !== "false");

function notesOf({ metadata }: DeepReadonly<Ingress>): string[] {
  const annotations = annotationsOf(metadata?.annotations as Readonly<Record<string, string>> | undefined);
  return [...annotations.keys()]
    .filter((name) => !translatedAnnotations.has(name))
    .map((name) => noteOf(metadata, name));
}

function noteOf(metadata: DeepReadonly<Ingress>["metadata"], name: string): string {
  const reason = reasons[name] ?? "it has no equivalent in the Gateway API";
  return `Ingress ${metadata?.namespace ?? "default"}/${metadata?.name ?? ""}: ${annotationPrefix}${name} is left out: ${reason}`;
}

function gatewayOf(namespace: string, routes: readonly HostRoute[], { gatewayClassName }: TranslateOptions): object {
  const secrets = new Map<string, string>();
  for (const { ingress } of routes)
    for (const { hosts = [], secretName } of ingress.spec?.tls ?? [])
      for (const host of hosts) if (secretName !== undefined) secrets.set(host, secretName);
  const https = [...secrets].sort().map(([hostname, name]) => ({
    name: listenerName(hostname),
    hostname,
    port: 443,
    protocol: "HTTPS",
    tls: { certificateRefs: [{ name }] },
  }));
  return {
    apiVersion,
    kind: "Gateway",
    metadata: { name: "ingress", namespace },
    spec: { gatewayClassName, listeners: [{ name: "http", port: 80, protocol: "HTTP" }, ...https] },
  };
}

const listenerName = (hostname: string): string => `https-${nameOf(hostname)}`;
const nameOf = (hostname: string): string => hostname.replace("*", "any").replaceAll(".", "-") || "any-host";

/** Listeners that a route is attached to: with a redirect, that for HTTP is the redirect's. */
function parentsOf(route: HostRoute): object[] {
  const http = { name: "ingress", sectionName: "http" };
  const https = { name: "ingress", sectionName: listenerName(route.host) };
  if (!route.isTls) return [http];
  return isRedirected(route) ? [https] : [http, https];
}

interface Noting {
  readonly options: TranslateOptions;
  readonly notes: string[];
}

function routeOf(route: HostRoute, canaries: readonly HostRoute[], noting: Noting): object {
  const { ingress, annotations, namespace, hostnames, paths } = route;
  const kind = /^GRPCS?$/.test(annotations.get("backend-protocol") ?? "") ? "GRPCRoute" : "HTTPRoute";
  if (!/^(HTTP|GRPCS?|AUTO_HTTP)$/.test(annotations.get("backend-protocol") ?? "HTTP"))
    noting.notes.push(noteOf(ingress.metadata, "backend-protocol"));
  const root = annotations.get("app-root");
  const rules = paths.flatMap((path) => rulesOf(route, path, { canaries, noting, kind }));
  return {
    apiVersion,
    kind,
    metadata: { name: routeName(route), namespace },
    spec: {
      parentRefs: parentsOf(route),
      ...(hostnames.length > 0 && { hostnames }),
      rules: [...(root === undefined || kind === "GRPCRoute" ? [] : [rootRule(root)]), ...rules],
    },
  };
}

const routeName = ({ ingress, host }: HostRoute): string =>
  `${ingress.metadata?.name ?? ""}-${nameOf(host)}`.slice(0, 63);

const rootRule = (root: string): object => ({
  matches: [{ path: { type: "Exact", value: "/" } }],
  filters: [
    {
      type: "RequestRedirect",
      requestRedirect: { path: { type: "ReplaceFullPath", replaceFullPath: root }, statusCode: 302 },
    },
  ],
});

const redirectRoute = (route: HostRoute): object => ({
  apiVersion,
  kind: "HTTPRoute",
  metadata: { name: `${routeName(route)}-redirect`.slice(0, 63), namespace: route.namespace },
  spec: {
    parentRefs: [{ name: "ingress", sectionName: "http" }],
    ...(route.hostnames.length > 0 && { hostnames: route.hostnames }),
    rules: [{ filters: [{ type: "RequestRedirect", requestRedirect: { scheme: "https", statusCode: 308 } }] }],
  },
});

interface RuleContext {
  readonly canaries: readonly HostRoute[];
  readonly noting: Noting;
  readonly kind: string;
}

/** The rule of a path; before it, those of canaries that a header chooses. */
function rulesOf(route: HostRoute, path: IngressPath, { canaries, noting, kind }: RuleContext): object[] {
  const { filters, isRedirect, untranslated } = planRuleFilters(route.annotations);
  for (const name of untranslated) noting.notes.push(noteOf(route.ingress.metadata, name));
  const match = matchOf(route.annotations, path, kind);
  const timeout = route.annotations.get("proxy-read-timeout");
  const shared = {
    ...(filters.length > 0 && { filters }),
    ...(timeout !== undefined &&
      kind === "HTTPRoute" && { timeouts: { backendRequest: `${Number.parseInt(timeout, 10)}s` } }),
  };
  if (isRedirect) return [{ matches: [match], ...shared }];
  const ours = canaries.filter((one) => one.namespace === route.namespace && one.host === route.host);
  const same = ours.flatMap((canary) =>
    canary.paths.filter((one) => one.path === path.path).map((one) => ({ canary, backend: one.backend })),
  );
  const byHeader = same.flatMap(({ canary, backend }) => {
    const name = canary.annotations.get("canary-by-header");
    if (name === undefined) return [];
    const value = canary.annotations.get("canary-by-header-value") ?? "always";
    const matches = [{ ...match, headers: [{ name, value }] }];
    return [{ matches, ...shared, backendRefs: [backendRef(canary, backend, noting)] }];
  });
  const weighted = same.filter(({ canary }) => canary.annotations.has("canary-weight"));
  const main = backendRef(route, path.backend, noting);
  return [...byHeader, { matches: [match], ...shared, backendRefs: withCanaries(main, weighted, noting) }];
}

function withCanaries(
  main: object,
  weighted: readonly { readonly canary: HostRoute; readonly backend: DeepReadonly<IngressBackend> }[],
  noting: Noting,
): object[] {
  const [first] = weighted;
  if (!first) return [main];
  const weight = Number(first.canary.annotations.get("canary-weight"));
  const total = Number(first.canary.annotations.get("canary-weight-total") ?? 100);
  return [
    { ...main, weight: total - weight },
    { ...backendRef(first.canary, first.backend, noting), weight },
  ];
}

function matchOf(annotations: Annotations, { path, pathType }: IngressPath, kind: string): object {
  if (kind === "GRPCRoute") {
    const [, service = "", method = ""] = path.split("/");
    return service === "" ? {} : { method: { service, ...(method !== "" && { method }) } };
  }
  const type =
    pathType === "Exact"
      ? "Exact"
      : isOn(annotations, "use-regex") && pathType !== "Prefix"
        ? "RegularExpression"
        : "PathPrefix";
  return { path: { type, value: path } };
}

function backendRef(
  { ingress, namespace }: HostRoute,
  { service, resource }: DeepReadonly<IngressBackend>,
  noting: Noting,
): object {
  const where = `Ingress ${namespace}/${ingress.metadata?.name ?? ""}`;
  if (!service) {
    noting.notes.push(`${where}: a backend that is a ${resource?.kind ?? "resource"} is not translated`);
    return { group: resource?.apiGroup ?? "", kind: resource?.kind ?? "", name: resource?.name ?? "" };
  }
  const { number, name = "" } = service.port ?? {};
  const port = number ?? noting.options.portNumber(namespace, service.name, name);
  if (port === undefined)
    noting.notes.push(`${where}: the number of port "${name}" of Service ${service.name} is not known: set it`);
  return { name: service.name, ...(port !== undefined && { port }) };
}
