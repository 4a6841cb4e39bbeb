import { MemoryBudget } from "@coxswain/runtime/memory-budget";
import type { Authentication } from "../../authentication/create-authentication.js";
import type { Authorization } from "../../authorization/create-authorization.js";
import { createListPins } from "../../cache/list-pins.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { createSharedLeases } from "../../objects/shared-leases.js";
import { createExpressionCompilers } from "../../registry/admission-policies/expression-compilers.js";
import { createParamChecks } from "../../registry/admission-policies/param-checks.js";
import { createComponentChecks } from "../../registry/component-statuses/component-checks.js";
import { createHttpsProbe } from "../../registry/component-statuses/probe-https.js";
import type { RegistryDeps } from "../../registry/contract/registry-deps.js";
import type { LazyRuleCompiler } from "../../registry/custom-resources/lazy-rule-compiler.js";
import { startHistory } from "../../registry/history/history.js";
import { keyOwners } from "../../registry/history/object-of-key.js";
import { createPastStates } from "../../registry/history/past-states.js";
import { namespaceLabels } from "../../registry/namespaces/namespace-labels.js";
import { createEscalationGuards } from "../../registry/rbac/escalation-guards.js";
import { createClaimStatusGuard } from "../../registry/resource-claims/status-guard.js";
import { ServiceAllocation, type ServiceAllocationOptions } from "../../registry/services/allocation.js";
import { createStreams } from "../../registry/streams/create-streams.js";
import { createRecentRequests } from "../../request/recent-requests.js";
import { createBodyMetrics } from "../metrics/body-metrics.js";
import { measureStore } from "../metrics/store-metrics.js";
import type { ApiServerOptions } from "./api-server-options.js";
import type { BuiltAdmission } from "./build-admission.js";
import type { ServerCore } from "./server-core.js";

export interface RegistryParts {
  readonly authentication: Authentication;
  readonly authorization: Authorization;
  readonly admission: BuiltAdmission;
  /** CEL for validation rules of custom resources, loaded when it is first needed. */
  readonly rules: LazyRuleCompiler;
  readonly services: ServiceAllocationOptions;
}

/** What the verbs and the registry's handlers rest on. */
export function buildRegistry(
  core: ServerCore,
  options: ApiServerOptions,
  { authentication, authorization, admission, rules, services }: RegistryParts,
): RegistryDeps {
  const { store, feed, gates, observability, stored } = core;
  const { runtime } = core;
  const { clock, ioClock } = runtime;
  const { authorizer } = authorization;
  const { policyEngine } = admission;
  const { events = {}, limits = {} } = options;
  const { storagePrefix: servicePrefix } = storedKind("", "services");
  const authorizations = new Map([
    ...createEscalationGuards(feed, authorizer),
    ...createParamChecks(feed, core.catalogue, authorizer),
    [storedKind("resource.k8s.io", "resourceclaims").storagePrefix, createClaimStatusGuard(authorizer, gates)],
  ]);
  const history = options.history && startHistory(options.history, { store, runtime });
  const deps: RegistryDeps = {
    history,
    recentRequests: history && createRecentRequests(),
    keyOwners: keyOwners(core.catalogue),
    pastStates: history && createPastStates(history, { authorizer, isEncrypted: options.history?.isEncrypted }),
    rulesOf: authorization.rulesOf,
    tokens: authentication.tokens,
    reviewToken: (token, audiences) => authentication.reviewToken(token, audiences),
    authorizationOf: (kind) => authorizations.get(kind.storagePrefix),
    transactionOf: (kind) => (kind.storagePrefix === servicePrefix ? allocation : undefined),
    authorizer,
    components: createComponentChecks(store, options.probeComponent ?? createHttpsProbe(ioClock)),
    store: measureStore(store, { runtime, kinds: stored }),
    feed,
    leases: createSharedLeases(store.leases, clock, {
      lifetimes: new Map([[storedKind("", "events").storagePrefix, events.ttlMs ?? 3_600_000]]),
      ...(events.leaseReuseMs !== undefined && { reuseMs: events.leaseReuseMs }),
    }),
    admission: admission.admission,
    namespaceLabels: namespaceLabels(feed),
    gates,
    ...createExpressionCompilers({ rules, policyEngine }),
    allowPrivileged: options.api?.allowPrivileged ?? true,
    runtime,
    pins: createListPins(clock),
    streams: createStreams(options.kubelet ?? {}, { runtime, network: core.network }),
    bodyRead: createBodyMetrics(observability.metrics),
    memory: new MemoryBudget({ totalBytes: limits.requestMemoryBytes ?? 512 * 1024 * 1024 }),
    maxBodyBytes: limits.maxBodyBytes ?? 3 * 1024 * 1024,
    minWatchMs: limits.minWatchMs ?? 30 * 60_000,
  };
  const allocation = new ServiceAllocation(deps, services);
  return deps;
}
