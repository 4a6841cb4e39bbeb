import { createHash } from "node:crypto";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { randomUuid } from "@coxswain/runtime/random";
import type { AuthenticationOptions } from "../authentication/authentication-options.js";
import type { Authentication } from "../authentication/create-authentication.js";
import { createConversionCaller } from "../registry/custom-resources/convert-webhook.js";
import { keepDefinitions } from "../registry/custom-resources/definition-controller.js";
import type { LazyRuleCompiler } from "../registry/custom-resources/lazy-rule-compiler.js";
import { keepFlowControl } from "../registry/flow-control/controller.js";
import { keepIdentity } from "../registry/identity/identity-lease.js";
import { keepAuthentication } from "../registry/cluster-authentication/controller.js";
import { keepServerObjects } from "../registry/own-objects/controller.js";
import { type Keeper, openKeeperContext } from "../controllers/controller.js";
import { kindFinder } from "../catalogue/kind-finder.js";
import type { RegistryDeps } from "../registry/handlers/registry-deps.js";
import { serverUser } from "../objects/server-scope.js";
import type { ServiceAllocationOptions } from "../registry/services/allocation.js";
import { keepDefaultCidr } from "../registry/services/default-cidr-controller.js";
import { keepRepaired } from "../registry/services/repair/controller.js";
import { createHookClients } from "../webhook/hook-clients.js";
import type { ApiServerOptions } from "./api-server-options.js";
import type { BuiltRequests } from "./build-requests.js";
import { createInProcessTransport } from "./in-process.js";
import type { ServerCore } from "./server-core.js";

type Authorities = Parameters<Authentication["setAuthorities"]>[0];

/** The controllers inside the server, which keep its own objects up to date while it runs. */
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
  readonly loopback: BuiltRequests["loopback"];
  /** Undefined: the server holds no identity Lease. */
  readonly lease: KubernetesObject | undefined;
}

export function startKeepers(
  core: ServerCore,
  options: ApiServerOptions,
  { registry, rules, services, loopback, lease }: KeeperParts,
): Keepers {
  const { runtime, stored, served, customKinds, resolver, network, certificates, hostname } = core;
  const { clock, ioClock, random, log, activity } = runtime;
  const { clusterIpRanges, nodePorts } = services;
  const context = openKeeperContext({
    objects: registry,
    kindOf: kindFinder(stored),
    log,
    transport: createInProcessTransport(loopback, {
      user: serverUser,
      clock,
      // In time that a test moves nobody needs watches that are opened anew.
      endsWatches: clock === ioClock,
    }),
    served,
    activity,
  });
  const converters = createHookClients({ ioClock, random, resolver, network, certificates });
  const authentication = keepAuthentication(context, publishedAuthorities(options.authentication), () => ioClock.now());
  const definitions = keepDefinitions(context, {
    customKinds,
    rules,
    sha256: (text) => createHash("sha256").update(text).digest(),
    uid: () => randomUuid(random),
    callWebhook: createConversionCaller(converters),
  });
  const keepers: readonly Keeper[] = [
    ...authentication.keepers,
    ...keepServerObjects(context, { clusterIpRanges, endpoint: options.endpoint }),
    keepDefaultCidr(context, { clusterIpRanges }),
    keepRepaired(context, { nodePorts, hostname }),
    keepFlowControl(context),
    definitions,
  ];
  const identity = lease && keepIdentity(registry, lease, log);
  const ready = definitions.serveStored();
  // Behind what clients wait for: nobody needs a keeper before the first request.
  const started = ready
    .then(() => context.start())
    .then(
      () => keepers.forEach((keeper) => keeper.run()),
      () => {}, // stopped before the informers had synced
    );
  return {
    ready,
    publishAuthorities: (authorities) =>
      void authentication
        .publish(replacedAuthorities(options.authentication, authorities))
        .catch((error: unknown) => log.warn("new authorities were not published for other servers", { error })),
    async stop() {
      await Promise.all([identity?.stop(), ...keepers.map((keeper) => keeper.stop())]);
      await context.stop();
      await started;
    },
    stopConverters: () => converters.stop(),
  };
}

type PublishedAuthorities = Pick<AuthenticationOptions, "clientCa" | "requestHeader">;

/** What of the options is published for other servers. */
export const publishedAuthorities = ({
  clientCa,
  requestHeader,
}: AuthenticationOptions = {}): PublishedAuthorities => ({
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
