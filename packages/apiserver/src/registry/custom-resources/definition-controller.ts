import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { hasReason } from "@coxswain/apimachinery/status";
import { runSteps, type Steps } from "@coxswain/runtime/steps";
import {
  type CustomResource,
  customResource,
  type CustomResourceDeps,
  type Definition,
  endTermination,
  findViolations,
  hasInstances,
  inTermination,
  isConditionTrue,
  isTerminating,
  planApproval,
  planEstablishing,
  planNames,
  planNonStructural,
  usedNames,
} from "@coxswain/kinds/custom-resources";
import { noAdmission } from "../../admission/admission.js";
import { createLister } from "../../cache/lister.js";
import { collectionPrefix, objectKey } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { updateObject } from "../../objects/update.js";
import type { Keeper, KeeperContext } from "../../controllers/controller.js";
import { serverScope } from "../../objects/server-scope.js";
import { deleteInstances } from "./delete-instances.js";
import type { LazyRuleCompiler } from "./lazy-rule-compiler.js";
import type { ServedCustomKinds } from "./served-custom-kinds.js";

export interface DefinitionKeeperDeps extends Omit<CustomResourceDeps, "ruleCompiler"> {
  readonly rules: LazyRuleCompiler;
  readonly customKinds: ServedCustomKinds;
}

export interface DefinitionKeeper extends Keeper {
  /** Resolves when every stored definition whose names were accepted is served, or its failure logged. */
  serveStored(): Promise<void>;
}

/** A private copy. */
type Live = CustomResourceDefinition & KubernetesObject;

type Violations = ReturnType<typeof findViolations> extends Steps<infer T> ? T : never;

/** What keeps the schemas of a definition from being structural, by its generation. */
interface Structure {
  readonly uid: string | undefined;
  readonly generation: number | undefined;
  readonly violations: Violations;
}

/** What is served of a definition, and what it was made from: nothing else changes it. */
interface Served {
  readonly resource: CustomResource;
  readonly spec: Definition["spec"];
  readonly acceptedNames: unknown;
  readonly isEnding: boolean;
}

/**
 * Follows CustomResourceDefinitions: gives them their names, serves them, reports that in their conditions, and empties
 * those that are deleted. A definition is served before it is reported as established, so that a client that waited for
 * the condition may use it at once.
 */
export function keepDefinitions(
  context: KeeperContext,
  { customKinds, rules, ...making }: DefinitionKeeperDeps,
): DefinitionKeeper {
  const kind = storedKind("apiextensions.k8s.io", "customresourcedefinitions");
  const { objects, log } = context;
  const { feed, clock } = objects;
  const inner: ObjectDeps = { ...objects, admission: noAdmission };
  const lister = createLister<Definition>(feed.cacheOf(kind), "last known");
  const served = new Map<string, Served>();
  const structures = new Map<string, Structure>();
  const failure = "a CustomResourceDefinition could not be served as it is";
  const loop = context.loop({ name: "custom-resource-definitions", failure, reconcile: sync });
  const informer = context.informer(kind);
  if (informer) loop.watch(informer);

  async function sync(name: string, signal: AbortSignal): Promise<void> {
    const definition = lister.get(objectKey(kind, "", name));
    if (!definition) return forget(name);
    const named = await withNames(definition);
    await serve(name, named);
    if (named !== definition) await writeStatus(named, async (live) => (await withNames(live)) as Live);
    if (isTerminating(definition)) await terminate(name, definition, signal);
  }

  function forget(name: string): void {
    const group = served.get(name)?.spec.group;
    served.delete(name);
    structures.delete(name);
    customKinds.remove(name);
    // What it was called is free now.
    for (const { metadata, spec, status } of lister.list(collectionPrefix(kind, "")))
      if (spec.group === group && !isConditionTrue({ status }, "NamesAccepted")) loop.queue.add(metadata.name ?? "");
  }

  /** Looked for once per spec: conditions change it many times before it is served. */
  async function violationsOf({ metadata, spec }: Definition): Promise<Violations> {
    const { name = "", uid, generation } = metadata;
    const before = structures.get(name);
    if (before && before.uid === uid && before.generation === generation) return before.violations;
    const violations = await runSteps(objects.scheduler, findViolations({ spec }));
    structures.set(name, { uid, generation, violations });
    return violations;
  }

  /** The definition with the conditions that it should have. */
  async function withNames(definition: Definition): Promise<Definition> {
    const violations = await violationsOf(definition);
    const now = clock.now();
    let next = definition;
    const used = usedNames(lister.list(collectionPrefix(kind, "")), definition.spec.group);
    for (const status of [
      () => planNames(next, used, now),
      () => planNonStructural(next, violations, now),
      () => planApproval(next, now),
      () => planEstablishing(next, now),
    ]) {
      const planned = status();
      if (planned) next = { ...next, status: planned };
    }
    return next;
  }

  async function serve(name: string, definition: Definition): Promise<void> {
    const { spec, status } = definition;
    if (!isConditionTrue(definition, "NamesAccepted") && !isConditionTrue(definition, "Established")) return;
    const before = served.get(name);
    const acceptedNames = status?.acceptedNames;
    const isEnding = isConditionTrue(definition, "Terminating");
    if (
      before &&
      before.isEnding === isEnding &&
      equalJson(before.spec, spec) &&
      equalJson(before.acceptedNames, acceptedNames)
    )
      return;
    const resource = customResource(definition, { ...making, ruleCompiler: await rules.load() });
    await customKinds.serve(name, resource);
    served.set(name, { resource, spec, acceptedNames, isEnding });
  }

  /** Deletes what there is of it; once nothing is left, the definition may go. Objects with finalizers hold it until they go. */
  async function terminate(name: string, definition: Definition, signal: AbortSignal): Promise<void> {
    await writeStatus(definition, (live, now) => (isTerminating(live) ? inTermination(live, now) : live));
    const stored = hasInstances(definition) ? served.get(name)?.resource.stored : undefined;
    const isEmpty = !stored || (await deleteInstances(inner, stored, { signal, onEmpty: () => loop.queue.add(name) }));
    if (isEmpty) await writeStatus(definition, (live, now) => (isTerminating(live) ? endTermination(live, now) : live));
  }

  async function writeStatus(
    { metadata: { name = "", uid } }: Definition,
    change: (live: Live, now: number) => Live | Promise<Live>,
  ): Promise<void> {
    const next = async (current: KubernetesObject | undefined): Promise<KubernetesObject> => {
      const live = current as Live;
      return live.metadata.uid === uid ? change(live, clock.now()) : live;
    };
    await updateObject(inner, serverScope(kind, { name, view: "status" }), { next }).catch((err: unknown) => {
      if (!hasReason(err, "NotFound")) throw err; // it is gone already
    });
  }

  return {
    run: () => loop.run(),
    async serveStored() {
      for (const definition of lister.list(collectionPrefix(kind, "")))
        await serve(definition.metadata.name ?? "", definition).catch((error: unknown) =>
          log.warn(failure, { key: definition.metadata.name, error }),
        );
    },
    stop: () => loop.stop(),
  };
}
