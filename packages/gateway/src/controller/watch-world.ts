import type { ConfigMap, Namespace, Secret, Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { type Endpoint, readyEndpoints } from "@coxswain/api/endpoint-slices";
import type { Ingress, IngressClass } from "@coxswain/api/networking/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Client } from "@coxswain/client";
import { createSharedInformer, filterListerWatcher, type SharedIndexInformer } from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import type { BackendTarget } from "../engine/backend.js";
import type {
  BackendTlsPolicy,
  Gateway,
  GatewayClass,
  GrpcRoute,
  HttpRoute,
  ListenerSet,
  ReferenceGrant,
  StreamRoute,
} from "../objects/gateway-objects.js";
import type { World } from "../plan/world.js";
import { watchGatewayKind } from "./watch-gateway-kind.js";

export interface WatchedWorld {
  /** As it is now, without what is this machine's own. */
  world(): Omit<World, "localCertificate">;
  endpointsOf(target: BackendTarget, transport?: "TCP" | "UDP"): readonly Endpoint[];
  /** Resolves once everything was read. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

const byService = "service";

/** Keeps what routes are planned from equal to the cluster's content. Endpoints are read when a request needs them: their changes plan nothing anew. */
export function watchWorld(runtime: Runtime, client: Client, onChange: () => void): WatchedWorld {
  const onError = (error: unknown): void =>
    runtime.log.debug("reading the cluster failed and is tried again", { error });
  const shared = { runtime, onError };
  const namespaces = createSharedInformer<Namespace>({ listerWatcher: client.core.v1.namespaces(), ...shared });
  const services = createSharedInformer<Service>({ listerWatcher: client.core.v1.services(), ...shared });
  const secrets = createSharedInformer<Secret>({
    listerWatcher: filterListerWatcher(client.core.v1.secrets(), { fieldSelector: "type=kubernetes.io/tls" }),
    ...shared,
  });
  const configMaps = createSharedInformer<ConfigMap>({ listerWatcher: client.core.v1.configmaps(), ...shared });
  const ingresses = createSharedInformer<Ingress>({ listerWatcher: client.networking.v1.ingresses(), ...shared });
  const ingressClasses = createSharedInformer<IngressClass>({
    listerWatcher: client.networking.v1.ingressclasses(),
    ...shared,
  });
  const slices = createSharedInformer<EndpointSlice>({
    listerWatcher: client.discovery.v1.endpointslices(),
    ...shared,
    indexers: {
      [byService]: ({ metadata }) => [
        `${metadata?.namespace}/${getOwn(metadata?.labels, "kubernetes.io/service-name")}`,
      ],
    },
  });
  const watchKind = <Kind extends object>(resource: string, version: string) =>
    watchGatewayKind<Kind>({ ...shared, client, resource, version, onChange });
  const classes = watchKind<GatewayClass>("gatewayclasses", "v1");
  const gateways = watchKind<Gateway>("gateways", "v1");
  const httpRoutes = watchKind<HttpRoute>("httproutes", "v1");
  const listenerSets = watchKind<ListenerSet>("listenersets", "v1");
  const grpcRoutes = watchKind<GrpcRoute>("grpcroutes", "v1");
  const tlsRoutes = watchKind<StreamRoute>("tlsroutes", "v1");
  const tcpRoutes = watchKind<StreamRoute>("tcproutes", "v1");
  const udpRoutes = watchKind<StreamRoute>("udproutes", "v1");
  const policies = watchKind<BackendTlsPolicy>("backendtlspolicies", "v1");
  const grants = watchKind<ReferenceGrant>("referencegrants", "v1beta1");
  const planned: SharedIndexInformer<never>[] = [
    namespaces,
    services,
    configMaps,
    secrets,
    ingresses,
    ingressClasses,
  ] as never;
  for (const informer of planned) informer.addHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange });
  const all = [...planned, slices];
  for (const informer of all) informer.start();
  const routes = [httpRoutes, grpcRoutes, tlsRoutes, tcpRoutes, udpRoutes];
  const kinds = [classes, gateways, listenerSets, ...routes, policies, grants];
  const ready = Promise.all([...all, ...kinds].map((one) => one.whenSynced())).then(() => undefined);
  ready.catch(() => {}); // stopped before: an error for those who wait for it, and nobody else
  return {
    world: () => ({
      classes: classes.list(),
      gateways: gateways.list(),
      httpRoutes: httpRoutes.list(),
      listenerSets: listenerSets.list(),
      grpcRoutes: grpcRoutes.list(),
      tlsRoutes: tlsRoutes.list(),
      tcpRoutes: tcpRoutes.list(),
      udpRoutes: udpRoutes.list(),
      backendTlsPolicies: policies.list(),
      grants: grants.list(),
      ingressClasses: ingressClasses.indexer.list(),
      ingresses: ingresses.indexer.list(),
      namespace: (name) => namespaces.indexer.getByKey(name),
      service: (namespace, name) => services.indexer.getByKey(`${namespace}/${name}`),
      configMap: (namespace, name) => configMaps.indexer.getByKey(`${namespace}/${name}`),
      secret: (namespace, name) => secrets.indexer.getByKey(`${namespace}/${name}`),
    }),
    endpointsOf: ({ namespace, service, portName }, transport) =>
      readyEndpoints(slices.indexer.byIndex(byService, `${namespace}/${service}`), portName, transport),
    ready,
    async stop() {
      await Promise.all([...all, ...kinds].map((one) => one.stop()));
    },
  };
}
