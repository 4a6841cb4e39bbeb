import type { Binding } from "@coxswain/api/core/v1";
import { type FieldError, fieldErrorsText, fieldPath, notSupported, required } from "@coxswain/apimachinery/field";
import { ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { badRequest, conflict, notFound, StatusError } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import { podKind, type StoredPod } from "@coxswain/kinds/core/pod";
import { objectKey } from "../../cache/object-key.js";
import { decodePosted } from "../../endpoints/decode/decode-posted.js";
import { checkKeyName } from "../../endpoints/path-name.js";
import { readWriteOptions } from "../../endpoints/write-options.js";
import { writeScope } from "../../endpoints/write-scope.js";
import { attributesOf } from "../../objects/admission-attributes.js";
import { preconditionFailed } from "../../objects/precondition-failed.js";
import { type Current, type Decision, writeObject } from "../../objects/write-loop.js";
import type { WriteScope } from "../../objects/write-scope.js";
import { bodyKind } from "../contract/body-kind.js";
import type { RegistryHandler } from "../contract/registry-deps.js";
import { setPodCondition } from "./pod-condition.js";

const bindingKind = bodyKind("", "v1", "Binding", "io.k8s.api.core.v1.Binding");

/** Assigns a pod to a node: the scheduler's last step. `bindings` is the older path for the same. */
export const handleBinding: RegistryHandler = async (deps, context, target) => {
  const options = readWriteOptions(context, "CreateOptions");
  const { namespace, view } = target;
  const binding = (await decodePosted(deps, context, {
    kind: bindingKind,
    namespace,
    validation: options.fieldValidation,
    speaksOfAnother: view !== "",
  })) as Binding & { metadata: NonNullable<Binding["metadata"]> };
  const name = view === "" ? (binding.metadata.name ?? "") : target.name;
  if (name !== (binding.metadata.name ?? "")) throw badRequest("name in URL does not match name in Binding object");
  const problems = fieldErrorsText(checkBinding(binding));
  if (problems !== undefined) throw new StatusError({ code: 500, reason: "", message: problems });
  const scope = writeScope(context, { ...target, kind: podKind, view: "binding", name }, options);
  const attributes = attributesOf(scope, { operation: "CREATE", object: { ...binding, metadata: binding.metadata } });
  checkKeyName(name);
  await deps.admission.admit(attributes);
  await deps.admission.validate(attributes);
  if (name === "") throw badRequest("Name parameter required.");
  const admitted = (attributes.object ?? binding) as Binding;
  function decide(current: Current | undefined): Decision {
    if (!current) throw notFound({ group: "", resource: "pods" }, name);
    const pod = current.object as StoredPod;
    checkPreconditions(scope, admitted, pod);
    assign(name, pod, admitted, deps.runtime.clock.now());
    return { do: "put", object: pod as typeof current.object };
  }
  await writeObject({ deps, scope, key: objectKey(podKind, target.namespace, name), decide });
  return { as: "status", status: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 } };
};

function checkBinding({ target }: Binding): FieldError[] {
  const errors: FieldError[] = [];
  if (target.kind && target.kind !== "Node")
    errors.push(notSupported(fieldPath("target", "kind"), target.kind, ["Node", "<empty>"]));
  if (!target.name) errors.push(required(fieldPath("target", "name")));
  return errors;
}

function checkPreconditions(scope: WriteScope, { metadata: wanted = {} }: Binding, { metadata }: StoredPod): void {
  if (wanted.uid && wanted.uid !== metadata.uid)
    throw preconditionFailed(scope, `UID in precondition: ${wanted.uid}, UID in object meta: ${metadata.uid ?? ""}`);
  if (wanted.resourceVersion && wanted.resourceVersion !== metadata.resourceVersion) {
    throw preconditionFailed(
      scope,
      `ResourceVersion in precondition: ${wanted.resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion ?? ""}`,
    );
  }
}

function assign(name: string, pod: StoredPod, { target, metadata }: Binding, now: number): void {
  const refuse = (why: string): never => {
    throw conflict({ group: "", resource: "pods/binding" }, name, why);
  };
  if (pod.metadata.deletionTimestamp) refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (pod.spec.nodeName) refuse(`pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`);
  if ((pod.spec.schedulingGates?.length ?? 0) > 0) refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  pod.spec.nodeName = target.name ?? "";
  delete pod.status.nominatedNodeName;
  for (const [key, value] of ownEntries(metadata?.annotations)) setOwn((pod.metadata.annotations ??= {}), key, value);
  for (const [key, value] of ownEntries(metadata?.labels)) setOwn((pod.metadata.labels ??= {}), key, value);
  setPodCondition(pod, { type: "PodScheduled", status: "True" }, formatTime(now));
}
