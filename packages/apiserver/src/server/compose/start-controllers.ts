import { createHash } from "node:crypto";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { randomUuid } from "@coxswain/runtime/random";
import type { AuthenticationOptions } from "../../authentication/authentication-options.js";
import type { Authentication } from "../../authentication/create-authentication.js";
import type { Controller } from "../../controllers/controller.js";
import type { ControllerContext } from "../../controllers/controller-context.js";
import { createClusterAuthentication } from "../../registry/cluster-authentication/controller.js";
import { createConversionCaller } from "../../registry/custom-resources/convert-webhook.js";
import { DefinitionController } from "../../registry/custom-resources/definition-controller.js";
import type { LazyRuleCompiler } from "../../registry/custom-resources/lazy-rule-compiler.js";
import { createFlowControlController } from "../../registry/flow-control/controller.js";
import { createIdentityController } from "../../registry/identity/controller.js";
import { createOwnObjectControllers } from "../../registry/own-objects/controller.js";
import type { ServiceAllocationOptions } from "../../registry/services/allocation.js";
import { createDefaultCidrController } from "../../registry/services/default-cidr-controller.js";
import { createRepairController } from "../../registry/services/repair/controller.js";
import { createHookClients } from "../../webhook/hook-clients.js";
import type { ApiServerOptions } from "./api-server-options.js";
import type { ServerCore } from "./server-core.js";

type Authorities = Parameters<Authentication["setAuthorities"]>[0];

/** The controllers inside the server, which bring its own objects up to date while it runs. */
export interface ServerControllers {
  /** Resolves when every stored CustomResourceDefinition is served. */
  readonly ready: Promise<void>;
  /** Publishes authorities that were replaced. */
  publishAuthorities(authorities: Authorities): void;
  stop(): Promise<void>;
  /** Conversion webhooks are called until the last request has ended. */
  stopConverters(): void;
}

export interface ControllerParts {
  readonly context: ControllerContext;
  readonly rules: LazyRuleCompiler;
  readonly services: ServiceAllocationOptions;
  /** Undefined: the server holds no identity Lease. */
  readonly lease: KubernetesObject | undefined;
}

export function startControllers(
  core: ServerCore,
  options: ApiServerOptions,
  { context, rules, services, lease }: ControllerParts,
): ServerControllers {
  const { runtime, types, customKinds, resolver, network, certificates, hostname } = core;
  const { ioClock, random, log } = runtime;
  const { clusterIpRanges, nodePorts } = services;
  const converters = createHookClients({ runtime, resolver, network, certificates });
  const authentication = createClusterAuthentication(context, publishedAuthorities(options.authentication), () =>
    ioClock.now(),
  );
  const definitions = new DefinitionController(context, {
    customKinds,
    rules,
    types,
    sha256: (text) => createHash("sha256").update(text).digest(),
    uid: () => randomUuid(random),
    callWebhook: createConversionCaller(converters),
  });
  const controllers: readonly Controller[] = [
    ...authentication.controllers,
    ...createOwnObjectControllers(context, { clusterIpRanges, endpoint: options.endpoint }),
    createDefaultCidrController(context, { clusterIpRanges }),
    createRepairController(context, { nodePorts, hostname }),
    createFlowControlController(context),
    definitions,
    ...(lease ? [createIdentityController(context, lease)] : []),
  ];
  const ready = definitions.serveStored();
  let isStopped = false;
  // Behind what clients wait for: nobody needs a controller before the first request.
  const started = ready.then(() => {
    if (!isStopped) for (const controller of controllers) controller.start();
  });
  return {
    ready,
    publishAuthorities: (authorities) =>
      void authentication
        .publish(replacedAuthorities(options.authentication, authorities))
        .catch((error: unknown) => log.warn("new authorities were not published for other servers", { error })),
    async stop() {
      isStopped = true;
      await started;
      await Promise.all(controllers.map((controller) => controller.stop()));
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
