import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { hasReason } from "@coxswain/apimachinery/status";
import type { Logger } from "@coxswain/component/log";
import { endTermination, inTermination, isTerminating } from "@coxswain/kinds";
import { noAdmission } from "../../admission/admission.js";
import { createLister } from "../../cache/lister.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { collectionPrefix } from "../../cache/object-key.js";
import { updateObject } from "../../objects/update.js";
import { actOnChanges } from "../act-on-changes.js";
import { serverScope } from "../server-scope.js";
import { storedKind } from "../../catalogue/stored-kind.js";

type Definition = CustomResourceDefinition & KubernetesObject;

/** Lets definitions go that are to be deleted, once none of their custom resources is left. Custom resources are not served yet, so there never are any. */
export function endDefinitions(deps: ObjectDeps, log: Logger): { stop(): Promise<void> } {
  const kind = storedKind("apiextensions.k8s.io", "customresourcedefinitions");
  const inner = { ...deps, admission: noAdmission };
  const lister = createLister<Definition>(deps.feed.cacheOf(kind));

  async function act(): Promise<void> {
    for (const definition of lister.list(collectionPrefix(kind, ""))) {
      if (!isTerminating(definition)) continue;
      await writeStatus(definition, inTermination);
      await writeStatus(definition, endTermination);
    }
  }
  async function writeStatus(
    { metadata: { name = "", uid } }: Definition,
    change: (definition: Definition, now: number) => Definition,
  ): Promise<void> {
    const next = (current: KubernetesObject | undefined): Promise<KubernetesObject> => {
      const live = current as Definition;
      return Promise.resolve(live.metadata.uid === uid && isTerminating(live) ? change(live, deps.clock.now()) : live);
    };
    await updateObject(inner, serverScope(kind, { name, view: "status" }), { next }).catch((err: unknown) => {
      if (!hasReason(err, "NotFound")) throw err; // it is gone already
    });
  }
  return actOnChanges(
    { kinds: [kind], act, failed: "a CustomResourceDefinition that is to be deleted could not be let go" },
    deps,
    log,
  );
}
