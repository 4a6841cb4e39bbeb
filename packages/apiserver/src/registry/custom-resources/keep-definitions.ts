import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import type { Timer } from "@coxswain/apimachinery/clock";
import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { hasReason } from "@coxswain/apimachinery/status";
import type { Logger } from "@coxswain/component/log";
import {
  type CustomResource,
  customResource,
  type CustomResourceDeps,
  type Definition,
  endTermination,
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
import { everything } from "../act-on-changes.js";
import { serverScope } from "../server-scope.js";
import { deleteInstances } from "./delete-instances.js";
import type { LazyRuleCompiler } from "./lazy-rule-compiler.js";
import type { ServedCustomKinds } from "./served-custom-kinds.js";

const retryMs = 5_000;

export interface DefinitionKeeperDeps extends Omit<CustomResourceDeps, "ruleCompiler"> {
  readonly rules: LazyRuleCompiler;
  readonly objects: ObjectDeps;
  readonly customKinds: ServedCustomKinds;
  readonly log: Logger;
}

export interface DefinitionKeeper {
  /** Resolves when every definition that was stored at the start is served. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** A private copy. */
type Live = CustomResourceDefinition & KubernetesObject;

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
export function keepDefinitions({
  objects,
  customKinds,
  log,
  rules,
  ...making
}: DefinitionKeeperDeps): DefinitionKeeper {
  const kind = storedKind("apiextensions.k8s.io", "customresourcedefinitions");
  const { feed, clock } = objects;
  const inner: ObjectDeps = { ...objects, admission: noAdmission };
  const lister = createLister<Definition>(feed.cacheOf(kind));
  const served = new Map<string, Served>();
  const waiting = new Set<string>();
  const timers = new Map<string, Timer>();
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    for (const name of waiting) {
      if (stopping.signal.aborted) return;
      waiting.delete(name);
      try {
        await sync(name);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn("a CustomResourceDefinition could not be served as it is", { name, error });
        timers.get(name)?.cancel();
        timers.set(
          name,
          clock.setTimer(retryMs, () => wake([name])),
        );
      }
    }
  }
  function wake(names: Iterable<string>): void {
    for (const name of names) waiting.add(name);
    if (waiting.size > 0) running ??= run().finally(() => ((running = undefined), wake([])));
  }

  async function sync(name: string): Promise<void> {
    const definition = lister.get(objectKey(kind, "", name));
    if (!definition) return forget(name);
    const named = withNames(definition);
    await serve(name, named);
    if (named !== definition) await writeStatus(named, (live) => withNames(live) as Live);
    if (isTerminating(definition)) await terminate(name, definition);
  }

  function forget(name: string): void {
    const group = served.get(name)?.spec.group;
    served.delete(name);
    customKinds.remove(name);
    // What it was called is free now.
    for (const { metadata, spec, status } of lister.list(collectionPrefix(kind, "")))
      if (spec.group === group && !isConditionTrue({ status }, "NamesAccepted")) wake([metadata.name ?? ""]);
  }

  /** The definition with the conditions that it should have. */
  function withNames(definition: Definition): Definition {
    const now = clock.now();
    let next = definition;
    const used = usedNames(lister.list(collectionPrefix(kind, "")), definition.spec.group);
    for (const status of [
      () => planNames(next, used, now),
      () => planNonStructural(next, now),
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
  async function terminate(name: string, definition: Definition): Promise<void> {
    await writeStatus(definition, (live, now) => (isTerminating(live) ? inTermination(live, now) : live));
    const stored = hasInstances(definition) ? served.get(name)?.resource.stored : undefined;
    const isEmpty =
      !stored || (await deleteInstances(inner, stored, { signal: stopping.signal, onEmpty: () => wake([name]) }));
    if (isEmpty) await writeStatus(definition, (live, now) => (isTerminating(live) ? endTermination(live, now) : live));
  }

  async function writeStatus(
    { metadata: { name = "", uid } }: Definition,
    change: (live: Live, now: number) => Live,
  ): Promise<void> {
    const next = (current: KubernetesObject | undefined): Promise<KubernetesObject> => {
      const live = current as Live;
      return Promise.resolve(live.metadata.uid === uid ? change(live, clock.now()) : live);
    };
    await updateObject(inner, serverScope(kind, { name, view: "status" }), { next }).catch((err: unknown) => {
      if (!hasReason(err, "NotFound")) throw err; // it is gone already
    });
  }

  const watcher = feed.cacheOf(kind).watch(
    everything,
    { now: true, mark: false },
    {
      deliver(deliveries) {
        wake(deliveries.map(({ entry }) => entry.name));
        return undefined;
      },
      bookmark: () => {},
      end: () => {},
    },
  );
  return {
    ready: running ?? Promise.resolve(),
    async stop() {
      stopping.abort();
      watcher?.stop();
      for (const timer of timers.values()) timer.cancel();
      await running;
    },
  };
}
