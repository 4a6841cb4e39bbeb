import type { Eviction } from "@coxswain/api/policy/v1";
import { fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { cloneJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { labelSelectorFromObject, SelectorError } from "@coxswain/apimachinery/selector";
import { badRequest, conflict, invalid, isConflict, notFound, StatusError } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import { podKind, type StoredPod } from "@coxswain/kinds/core/pod";
import { noAdmission } from "../../admission/admission.js";
import { createLister } from "../../cache/lister.js";
import { collectionPrefix, objectKey } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { decodePosted } from "../../endpoints/decode/decode-posted.js";
import { checkDeleteOptions } from "../../endpoints/delete-options.js";
import { waitForLatest } from "../../endpoints/resource-version.js";
import { readWriteOptions } from "../../endpoints/write-options.js";
import { writeScope } from "../../endpoints/write-scope.js";
import { attributesOf } from "../../objects/admission-attributes.js";
import { deleteObject } from "../../objects/delete.js";
import type { DeleteOptions } from "../../objects/plan-deletion.js";
import { serverScope } from "../../objects/server-scope.js";
import { updateObject } from "../../objects/update.js";
import type { WriteScope } from "../../objects/write-scope.js";
import type { RequestContext } from "../../request/request-context.js";
import { bodyKind } from "../contract/body-kind.js";
import type { RegistryDeps, RegistryHandler } from "../contract/registry-deps.js";
import { budgetNotReady, type StoredBudget, takeDisruption } from "./disruption-budget.js";
import { setPodCondition } from "./pod-condition.js";

const evictionKind = bodyKind("policy", "v1", "Eviction", "io.k8s.api.policy.v1.Eviction", { alsoRead: ["v1beta1"] });
const attempts = 20;

/** Deletes a pod as far as its disruption budget lets it go. */
export const handleEviction: RegistryHandler = async (deps, context, target) => {
  const options = readWriteOptions(context, "CreateOptions");
  const { name, namespace } = target;
  const sent = (await decodePosted(deps, context, {
    kind: evictionKind,
    namespace,
    validation: options.fieldValidation,
  })) as Eviction & KubernetesObject;
  const attributes = attributesOf(writeScope(context, target, options), { operation: "CREATE", object: sent });
  await deps.admission.admit(attributes);
  const eviction = (attributes.object ?? sent) as typeof sent;
  if (name !== (eviction.metadata.name ?? "")) throw badRequest("name in URL does not match name in Eviction object");
  checkOptions(name, eviction);
  await deps.admission.validate(attributes);
  const dryRun = options.dryRun || (eviction.deleteOptions?.dryRun?.length ?? 0) > 0;
  const deletion: DeleteOptions = { ...eviction.deleteOptions } as DeleteOptions;
  // The request was admitted as an eviction: what it leads to is not asked about again.
  const inner = { ...deps, admission: noAdmission };
  const scope = writeScope(context, { ...target, kind: podKind, view: "" }, { ...options, dryRun });
  await evict(inner, context, scope, deletion);
  return { as: "status", status: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 } };
};

function checkOptions(name: string, { deleteOptions }: Eviction): void {
  if (deleteOptions?.ignoreStoreReadErrorWithClusterBreakingPotential !== true) return;
  const path = fieldPath("deleteOptions", "ignoreStoreReadErrorWithClusterBreakingPotential");
  throw invalid({ group: "policy", kind: "Eviction" }, name, [
    invalidField(path, true, "can not be set for pod eviction, try after removing the option"),
  ]);
}

async function evict(
  deps: RegistryDeps,
  context: RequestContext,
  scope: WriteScope,
  options: DeleteOptions,
): Promise<void> {
  const pinned = options.preconditions?.resourceVersion !== undefined;
  for (let attempt = 1; ; attempt++) {
    await waitForLatest(deps, context);
    const pod = createLister<StoredPod>(deps.feed.cacheOf(podKind)).get(
      objectKey(podKind, scope.namespace, scope.name),
    );
    if (!pod) throw notFound({ group: "", resource: "pods" }, scope.name);
    const over =
      pod.status.phase === "Succeeded" || pod.status.phase === "Failed" || Boolean(pod.metadata.deletionTimestamp);
    const way =
      over || pod.status.phase === "Pending"
        ? { budget: undefined, exact: !over && !pinned }
        : await askBudget(deps, scope, pod);
    try {
      return await markAndDelete(deps, scope, way.exact ? at(options, pod) : options);
    } catch (err) {
      // Only a precondition of our own is worth another look: the pod may have become ready.
      if (!isConflict(err) || !way.exact || pinned) throw err;
      if (way.budget !== undefined) throw budgetNotReady(way.budget);
      if (attempt >= attempts) throw err;
    }
  }
}

const at = (options: DeleteOptions, { metadata }: StoredPod): DeleteOptions => ({
  ...options,
  preconditions: { ...options.preconditions, resourceVersion: metadata.resourceVersion ?? "" },
});

/** Takes a disruption from the pod's budget. `exact`: the pod may go because it is not ready, so it must still be what it was. */
async function askBudget(
  deps: RegistryDeps,
  scope: WriteScope,
  pod: StoredPod,
): Promise<{ budget: string | undefined; exact: boolean }> {
  const budgets = budgetsOf(deps, scope.namespace, pod);
  const [budget] = budgets;
  if (!budget) return { budget: undefined, exact: false };
  if (budgets.length > 1)
    throw new StatusError({
      code: 500,
      reason: "",
      message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    });
  const name = budget.metadata.name ?? "";
  const ready = pod.status.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status;
  const notGuarded =
    budget.spec.unhealthyPodEvictionPolicy === "AlwaysAllow" ||
    (currentHealthy >= desiredHealthy && desiredHealthy > 0);
  if (!ready && notGuarded) return { budget: name, exact: true };
  const kind = storedKind("policy", "poddisruptionbudgets");
  await updateObject(
    deps,
    { ...serverScope(kind, { namespace: scope.namespace, name, view: "status" }), dryRun: scope.dryRun },
    {
      next(current) {
        const next = cloneJson(current) as StoredBudget;
        takeDisruption(next, scope.name, formatTime(deps.runtime.clock.now()));
        return Promise.resolve(next);
      },
    },
  );
  return { budget: name, exact: false };
}

function budgetsOf(deps: RegistryDeps, namespace: string, { metadata }: StoredPod): StoredBudget[] {
  const kind = storedKind("policy", "poddisruptionbudgets");
  const all = createLister<StoredBudget>(deps.feed.cacheOf(kind)).list(collectionPrefix(kind, namespace));
  return [...all].filter(({ spec }) => {
    try {
      return labelSelectorFromObject(spec.selector).matches(metadata.labels);
    } catch (err) {
      if (err instanceof SelectorError) return false; // what cannot be read selects nothing
      throw err;
    }
  });
}

/** The pod gets a condition with the reason before it is deleted. */
async function markAndDelete(deps: RegistryDeps, scope: WriteScope, options: DeleteOptions): Promise<void> {
  let deletion = options;
  if (!scope.dryRun) {
    const marked = await updateObject(
      deps,
      { ...scope, view: "status" },
      {
        fieldsTracked: true,
        next(current) {
          const pod = cloneJson(current) as StoredPod;
          checkPreconditions(pod, options);
          setPodCondition(
            pod,
            {
              type: "DisruptionTarget",
              status: "True",
              reason: "EvictionByEvictionAPI",
              message: "Eviction API: evicting",
            },
            formatTime(deps.runtime.clock.now()),
          );
          return Promise.resolve(pod as KubernetesObject);
        },
      },
    );
    const { metadata } = marked.object.parse() as StoredPod;
    if (options.preconditions?.resourceVersion !== undefined)
      deletion = {
        ...options,
        preconditions: { ...options.preconditions, resourceVersion: metadata.resourceVersion ?? "" },
      };
  }
  checkDeleteOptions(deletion);
  await deleteObject(deps, scope, deletion);
}

function checkPreconditions({ metadata }: StoredPod, { preconditions }: DeleteOptions): void {
  const refuse = (why: string): never => {
    throw conflict({ group: "", resource: "Pod" }, metadata.name ?? "", why);
  };
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid && uid !== metadata.uid)
    refuse(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ""}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ""}). The object might have been modified`,
    );
  }
}
