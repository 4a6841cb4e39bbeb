import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import {
  type CustomResource,
  type CustomResourceDeps,
  customResource,
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
import type { Soon } from "@coxswain/runtime/soon";
import { runSteps, type Steps } from "@coxswain/runtime/steps";
import { createLister, type Lister } from "../../cache/lister.js";
import { collectionPrefix, objectKey } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { type Controller, createController, type QueueController } from "../../controllers/controller.js";
import type { ControllerContext } from "../../controllers/controller-context.js";
import { ignoreGone } from "../../controllers/ignore-gone.js";
import { serverScope } from "../../objects/server-scope.js";
import { updateObject } from "../../objects/update.js";
import { deleteInstances } from "./delete-instances.js";
import type { LazyRuleCompiler } from "./lazy-rule-compiler.js";
import type { ServedCustomKinds } from "./served-custom-kinds.js";

export interface DefinitionControllerDeps extends Omit<CustomResourceDeps, "ruleCompiler"> {
  readonly rules: LazyRuleCompiler;
  readonly customKinds: ServedCustomKinds;
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

const kind = storedKind("apiextensions.k8s.io", "customresourcedefinitions");
const failure = "a CustomResourceDefinition could not be served as it is";

/**
 * Follows CustomResourceDefinitions: gives them their names, serves them, reports that in their conditions, and empties
 * those that are deleted. A definition is served before it is reported as established, so that a client that waited for
 * the condition may use it at once.
 */
export class DefinitionController implements Controller {
  readonly #context: ControllerContext;
  readonly #deps: DefinitionControllerDeps;
  readonly #lister: Lister<Definition>;
  readonly #served = new Map<string, Served>();
  readonly #structures = new Map<string, Structure>();
  readonly #controller: QueueController;

  constructor(context: ControllerContext, deps: DefinitionControllerDeps) {
    this.#context = context;
    this.#deps = deps;
    this.#lister = createLister<Definition>(context.objects.feed.cacheOf(kind), "last known");
    this.#controller = createController(context, {
      name: "custom-resource-definitions",
      failure,
      watched: [{ kind, keysOf: ({ name }) => [name] }],
      reconcile: (name, signal) => this.#reconcile(name, signal),
    });
  }

  /** Resolves when every stored definition whose names were accepted is served, or its failure logged. */
  async serveStored(): Promise<void> {
    for (const definition of this.#all())
      await this.#serve(definition.metadata.name ?? "", definition).catch((error: unknown) =>
        this.#context.runtime.log.warn(failure, { key: definition.metadata.name, error }),
      );
  }

  start(): void {
    this.#controller.start();
  }

  stop(): Promise<void> {
    return this.#controller.stop();
  }

  #all(): Iterable<Definition> {
    return this.#lister.list(collectionPrefix(kind, ""));
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<void> {
    const definition = this.#lister.get(objectKey(kind, "", name));
    if (!definition) return this.#forget(name);
    const named = await this.#withConditions(definition);
    await this.#serve(name, named);
    if (named !== definition)
      await this.#writeStatus(named, async (live) => (await this.#withConditions(live)) as Live);
    if (isTerminating(definition)) await this.#terminate(name, definition, signal);
  }

  #forget(name: string): void {
    const group = this.#served.get(name)?.spec.group;
    this.#served.delete(name);
    this.#structures.delete(name);
    this.#deps.customKinds.remove(name);
    // What it was called is free now.
    for (const { metadata, spec, status } of this.#all())
      if (spec.group === group && !isConditionTrue({ status }, "NamesAccepted"))
        this.#controller.queue.add(metadata.name ?? "");
  }

  /** Looked for once per spec: conditions change it many times before it is served. */
  async #violationsOf({ metadata, spec }: Definition): Promise<Violations> {
    const { name = "", uid, generation } = metadata;
    const before = this.#structures.get(name);
    if (before && before.uid === uid && before.generation === generation) return before.violations;
    const violations = await runSteps(this.#context.runtime.scheduler, findViolations({ spec }));
    this.#structures.set(name, { uid, generation, violations });
    return violations;
  }

  /** The definition with the conditions that it should have. */
  async #withConditions(definition: Definition): Promise<Definition> {
    const violations = await this.#violationsOf(definition);
    const now = this.#context.runtime.clock.now();
    let next = definition;
    const used = usedNames(this.#all(), definition.spec.group);
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

  async #serve(name: string, definition: Definition): Promise<void> {
    const { spec, status } = definition;
    if (!isConditionTrue(definition, "NamesAccepted") && !isConditionTrue(definition, "Established")) return;
    const before = this.#served.get(name);
    const acceptedNames = status?.acceptedNames;
    const isEnding = isConditionTrue(definition, "Terminating");
    if (
      before &&
      before.isEnding === isEnding &&
      equalJson(before.spec, spec) &&
      equalJson(before.acceptedNames, acceptedNames)
    )
      return;
    const { rules, customKinds, ...making } = this.#deps;
    const resource = customResource(definition, { ...making, ruleCompiler: await rules.load() });
    await customKinds.serve(name, resource);
    this.#served.set(name, { resource, spec, acceptedNames, isEnding });
  }

  /** Deletes what there is of it; once nothing is left, the definition may go. Objects with finalizers hold it until they go. */
  async #terminate(name: string, definition: Definition, signal: AbortSignal): Promise<void> {
    await this.#writeStatus(definition, (live, now) => (isTerminating(live) ? inTermination(live, now) : live));
    const stored = hasInstances(definition) ? this.#served.get(name)?.resource.stored : undefined;
    const onEmpty = (): void => this.#controller.queue.add(name);
    const isEmpty = !stored || (await deleteInstances(this.#context.objects, stored, { signal, onEmpty }));
    if (isEmpty)
      await this.#writeStatus(definition, (live, now) => (isTerminating(live) ? endTermination(live, now) : live));
  }

  async #writeStatus(
    { metadata: { name = "", uid } }: Definition,
    change: (live: Live, now: number) => Live | Promise<Live>,
  ): Promise<void> {
    const { objects } = this.#context;
    const next = (current: KubernetesObject | undefined): Soon<KubernetesObject> => {
      const live = current as Live;
      return live.metadata.uid === uid ? change(live, objects.runtime.clock.now()) : live;
    };
    await updateObject(objects, serverScope(kind, { name, view: "status" }), { next }).catch(ignoreGone);
  }
}
