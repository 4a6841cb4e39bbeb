import type { Ingress, IngressBackend } from "@coxswain/api/networking/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import type { BackendDestination, ServerCertificate } from "../engine/backend.js";
import { noChanges, type RoutedRule } from "../engine/routed-rule.js";
import { controllerName, type HttpRouteMatch } from "../objects/gateway-objects.js";
import type { RouteEntry } from "../routing/route-table.js";
import { localCertificateOf } from "./local-certificates.js";
import type { PlannedListener } from "./planned-listener.js";
import { certificateIn } from "./references.js";
import { keyOf, type World } from "./world.js";

export interface IngressPlan {
  readonly listeners: readonly PlannedListener[];
  /** Those that are served here. */
  readonly ingresses: readonly DeepReadonly<Ingress>[];
}

/**
 * Pure: Ingresses as entries of the same tables. All of them share one listener for HTTP and, where one has a certificate, one for HTTPS.
 * Their class is one whose controller is ours; the server's admission gives those without a class the default one.
 */
export function planIngresses(
  world: World,
  ports: { readonly http: number; readonly https: number; readonly withoutClass: boolean },
): IngressPlan {
  const classes = new Set(
    world.ingressClasses
      .filter(({ spec }) => spec?.controller === controllerName)
      .map(({ metadata }) => metadata?.name),
  );
  const ingresses = world.ingresses.filter(
    (ingress) => classes.has(ingress.spec?.ingressClassName) || (ports.withoutClass && isWithoutClass(ingress)),
  );
  if (ingresses.length === 0) return { listeners: [], ingresses };
  const entries = ingresses.flatMap((ingress) => entriesOf(ingress, world));
  const certificates = [
    ...ingresses.flatMap((ingress) => certificatesOf(ingress, world)),
    ...ingresses.flatMap((ingress) => localCertificateOf(ingress, world) ?? []),
  ];
  const shared = { owner: "ingress", hostname: "" };
  const http: PlannedListener = { ...shared, name: "http", port: ports.http, service: { kind: "http", entries } };
  const https: PlannedListener = {
    ...shared,
    name: "https",
    port: ports.https,
    service: { kind: "https", certificates, clientValidation: undefined, entries },
  };
  return { listeners: certificates.length > 0 ? [http, https] : [http], ingresses };
}

/** Neither a class nor the annotation that there was before. */
const isWithoutClass = ({ metadata, spec }: DeepReadonly<Ingress>): boolean =>
  spec?.ingressClassName === undefined && getOwn(metadata?.annotations, "kubernetes.io/ingress.class") === undefined;

function entriesOf(ingress: DeepReadonly<Ingress>, world: World): RouteEntry<RoutedRule>[] {
  const { rules = [], defaultBackend } = ingress.spec ?? {};
  const entries: RouteEntry<RoutedRule>[] = [];
  const add = (host: string, match: HttpRouteMatch, backend: DeepReadonly<IngressBackend>): void =>
    void entries.push({
      hostname: host,
      // `*.a.b` of an Ingress stands for one label (IngressRule.host).
      isOneLabel: true,
      match,
      rule: ruleOf(ingress, backend, world),
      route: { createdAt: ingress.metadata?.creationTimestamp ?? "", name: keyOf(ingress), index: entries.length },
    });
  for (const { host = "", http } of rules) {
    for (const { path = "/", pathType, backend } of http?.paths ?? [])
      add(host, { path: { type: pathType === "Exact" ? "Exact" : "PathPrefix", value: path } }, backend);
    // What no path of a host matches is the default backend's, too.
    if (host !== "" && defaultBackend) add(host, {}, defaultBackend);
  }
  if (defaultBackend) add("", {}, defaultBackend);
  return entries;
}

function ruleOf(ingress: DeepReadonly<Ingress>, { service }: DeepReadonly<IngressBackend>, world: World): RoutedRule {
  const namespace = ingress.metadata?.namespace ?? "";
  const { number, name } = service?.port ?? {};
  const port = world
    .service(namespace, service?.name ?? "")
    ?.spec?.ports?.find((one) => (name ? one.name === name : one.port === number));
  const destination: BackendDestination =
    service && port
      ? {
          kind: "service",
          target: { namespace, service: service.name, portName: port.name ?? "" },
          protocol: "http1",
          tls: undefined,
        }
      : { kind: "failure", status: 503, message: "the Ingress has no backend for this request" };
  return {
    route: `Ingress ${keyOf(ingress)}`,
    name: "",
    protocol: "http",
    changes: noChanges,
    backends: [{ weight: 1, destination, changes: noChanges }],
    timeouts: { requestMs: 0, backendRequestMs: 0 },
    retry: undefined,
    session: undefined,
  };
}

const certificatesOf = (ingress: DeepReadonly<Ingress>, world: World): ServerCertificate[] =>
  (ingress.spec?.tls ?? []).flatMap(({ secretName }) => {
    const found = secretName && certificateIn(world, ingress.metadata?.namespace ?? "", secretName);
    return found ? [found] : [];
  });
