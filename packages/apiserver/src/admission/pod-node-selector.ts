import type { Namespace } from "@coxswain/api/core/v1";
import { fieldErrorText, invalid } from "@coxswain/apimachinery/field";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn, ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { internalError, StatusError } from "@coxswain/apimachinery/status";
import { checkLabelKey, checkLabelValue } from "@coxswain/apimachinery/validation";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Lister } from "../cache/lister.js";
import { type AdmissionAttributes, type AdmissionPlugin, isPodItself } from "./admission.js";
import type { PluginConfiguration } from "./configuration/plugin-configuration.js";
import { forbid } from "./forbid.js";

const annotation = "scheduler.alpha.kubernetes.io/node-selector";

/** Selectors by namespace, as text: what its pods may ask for; `clusterDefaultNodeSelector` for namespaces without one. */
export type ClusterNodeSelectors = Readonly<Record<string, string>>;

/** Pods of a namespace run on the nodes that their namespace selects, and nowhere else. */
export function createPodNodeSelector(
  namespaces: Lister<Namespace & KubernetesObject>,
  selectors: ClusterNodeSelectors,
): AdmissionPlugin {
  function required(attributes: AdmissionAttributes): Map<string, string> {
    const namespace = namespaces.get(`/registry/namespaces/${attributes.namespace}`);
    if (!namespace) throw internalError(`namespace ${attributes.namespace} does not exist`);
    return readSelector(
      getOwn(namespace.metadata.annotations, annotation) ?? getOwn(selectors, "clusterDefaultNodeSelector") ?? "",
    );
  }

  function check(attributes: AdmissionAttributes): void {
    const { spec } = attributes.object as StoredPod;
    for (const [key, value] of required(attributes)) {
      if ((getOwn(spec.nodeSelector, key) ?? value) !== value)
        throw forbid(attributes, "pod node label selector conflicts with its namespace node label selector");
    }
    const allowed = readSelector(getOwn(selectors, attributes.namespace) ?? "");
    if (allowed.size > 0 && ownEntries(spec.nodeSelector).some(([key, value]) => allowed.get(key) !== value))
      throw forbid(attributes, "pod node label selector labels conflict with its namespace whitelist");
  }

  return {
    name: "PodNodeSelector",
    operations: ["CREATE"],
    admit(attributes) {
      if (!isPodItself(attributes)) return;
      const { spec } = attributes.object as StoredPod;
      for (const [key, value] of required(attributes))
        if (getOwn(spec.nodeSelector, key) === undefined) setOwn((spec.nodeSelector ??= {}), key, value);
      check(attributes);
    },
    validate(attributes) {
      if (isPodItself(attributes)) check(attributes);
    },
  };
}

/** `a=b,c=d`. */
function readSelector(text: string): Map<string, string> {
  const labels = new Map<string, string>();
  for (const part of text === "" ? [] : text.split(",")) {
    const pair = part.split("=");
    if (pair.length !== 2) throw unreadable(`invalid selector: [${pair.join(" ")}]`);
    const [key, value] = pair.map((each) => each.trim()) as [string, string];
    const [wrongKey, wrongValue] = [checkLabelKey(key), checkLabelValue(value)];
    if (wrongKey.length > 0) throw unreadable(fieldErrorText(invalid(undefined, key, wrongKey.join("; "))));
    if (wrongValue.length > 0) throw unreadable(fieldErrorText(invalid(undefined, value, wrongValue.join("; "))));
    labels.set(key, value);
  }
  return labels;
}

const unreadable = (message: string): StatusError => new StatusError({ code: 500, reason: "", message });

/** It has no version: only this member counts. */
export const readClusterNodeSelectors = (configuration: PluginConfiguration | undefined): ClusterNodeSelectors =>
  (configuration?.document as { podNodeSelectorPluginConfig?: ClusterNodeSelectors } | undefined)
    ?.podNodeSelectorPluginConfig ?? {};
