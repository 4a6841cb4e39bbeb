import { createHash } from "node:crypto";
import { randomUuid } from "@coxswain/apimachinery/random";
import type { AuthenticationOptions } from "../authentication/authentication-options.js";
import type { Authentication } from "../authentication/create-authentication.js";
import { createConversionCaller } from "../registry/custom-resources/convert-webhook.js";
import { keepDefinitions } from "../registry/custom-resources/keep-definitions.js";
import type { LazyRuleCompiler } from "../registry/custom-resources/lazy-rule-compiler.js";
import { keepFlowControl } from "../registry/flow-control/keep-flow-control.js";
import { identityLease, keepIdentity } from "../registry/identity/identity-lease.js";
import { keepAuthentication } from "../registry/keep-authentication.js";
import { keepServerObjects } from "../registry/keep-server-objects.js";
import { kindFinder } from "../registry/kind-finder.js";
import type { RegistryDeps } from "../registry/registry-deps.js";
import { ensureServerObjects } from "../registry/server-objects.js";
import type { ServiceAllocationOptions } from "../registry/services/companions.js";
import { keepDefaultCidr } from "../registry/services/keep-default-cidr.js";
import { keepRepaired } from "../registry/services/repair/keep-repaired.js";
import { createHookClients } from "../webhook/hook-clients.js";
import type { ApiServerOptions } from "./api-server-options.js";
import type { ServerCore } from "./server-core.js";

type Authorities = Parameters<Authentication["setAuthorities"]>[0];

/** What the server creates at its start and keeps up to date while it runs. */
export interface Keepers {
  /** Resolves when every stored CustomResourceDefinition is served. */
  readonly ready: Promise<void>;
  /** Publishes authorities that were replaced. */
  publishAuthorities(authorities: Authorities): void;
  stop(): Promise<void>;
  /** Conversion webhooks are called until the last request has ended. */
  stopConverters(): void;
}

export interface KeeperParts {
  readonly registry: RegistryDeps;
  readonly rules: LazyRuleCompiler;
  readonly services: ServiceAllocationOptions;
}

export async function startKeepers(
  core: ServerCore,
  options: ApiServerOptions,
  { registry, rules, services: { clusterIpRanges, nodePorts } }: KeeperParts,
): Promise<Keepers> {
  const { stored, served, surface, ioClock, random, log, customKinds, resolver, certificates, hostname } = core;
  const { endpoint, identity } = options;
  const kindOf = kindFinder(stored);
  const lease = identity && identityLease(identity, registry);
  const published = publishedAuthorities(options.authentication);
  await ensureServerObjects(registry, kindOf, {
    clusterIpRanges,
    served,
    endpoint,
    realNow: ioClock.now(),
    ...published,
    more: lease ? [lease] : [],
    prepared: options.api?.featureGates?.size ? undefined : options.preparedObjects,
    made: () => surface.hooks.reach("objects are made"),
  });
  surface.hooks.reach("objects are up to date");
  const converters = createHookClients({ ioClock, random, resolver, certificates });
  const authentication = keepAuthentication(published, { ...registry, realNow: () => ioClock.now() }, kindOf, log);
  const definitions = keepDefinitions({
    objects: registry,
    customKinds,
    log,
    rules,
    sha256: (text) => createHash("sha256").update(text).digest(),
    uid: () => randomUuid(random),
    callWebhook: createConversionCaller(converters),
  });
  const keepers: readonly { stop(): Promise<void> }[] = [
    ...(lease ? [keepIdentity(registry, lease, log)] : []),
    authentication,
    keepServerObjects(registry, kindOf, { clusterIpRanges, endpoint, log }),
    keepDefaultCidr(registry, kindOf, { cidrs: clusterIpRanges, log }),
    keepRepaired(registry, { nodePorts, hostname }, log),
    keepFlowControl(registry, kindOf, log),
    definitions,
  ];
  return {
    ready: definitions.ready,
    publishAuthorities: (authorities) =>
      void authentication
        .tell(replacedAuthorities(options.authentication, authorities))
        .catch((error: unknown) => log.warn("new authorities were not published for other servers", { error })),
    stop: async () => void (await Promise.all(keepers.map((keeper) => keeper.stop()))),
    stopConverters: () => converters.stop(),
  };
}

type PublishedAuthorities = Pick<AuthenticationOptions, "clientCa" | "requestHeader">;

const publishedAuthorities = ({ clientCa, requestHeader }: AuthenticationOptions = {}): PublishedAuthorities => ({
  ...(clientCa === undefined ? {} : { clientCa }),
  ...(requestHeader ? { requestHeader } : {}),
});

const replacedAuthorities = (
  { requestHeader }: AuthenticationOptions = {},
  { clientCa, requestHeader: authority }: Authorities,
): PublishedAuthorities => ({
  clientCa,
  ...(requestHeader ? { requestHeader: { ...requestHeader, authority: authority ?? requestHeader.authority } } : {}),
});
