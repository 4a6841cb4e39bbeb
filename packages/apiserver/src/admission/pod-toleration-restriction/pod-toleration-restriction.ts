import type { Namespace, Toleration } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import { notFound, StatusError } from "@coxswain/apimachinery/status";
import { readJsonObjects } from "@coxswain/kinds";
import { qosClass, type StoredPod } from "@coxswain/kinds/core/pod";
import type { Lister } from "../../cache/lister.js";
import { type AdmissionAttributes, type AdmissionPlugin, isPodItself } from "../admission.js";
import type { PluginConfiguration } from "../configuration/plugin-configuration.js";
import { readConfiguration } from "../configuration/read-configuration.js";
import { areAllowed, mergeTolerations } from "./tolerations.js";

export interface TolerationConfiguration {
  /** For pods of namespaces without the annotation. */
  readonly default: readonly Toleration[];
  readonly whitelist: readonly Toleration[];
}

const defaults = "scheduler.alpha.kubernetes.io/defaultTolerations";
const whitelist = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";

/** What pods tolerate is what their namespace gives them and lets them. */
export function createPodTolerationRestriction(
  namespaces: Lister<Namespace & KubernetesObject>,
  configuration: TolerationConfiguration,
): AdmissionPlugin {
  /** Undefined: the namespace has no annotation. */
  function ofNamespace({ namespace }: AdmissionAttributes, annotation: string): Toleration[] | undefined {
    const found = namespaces.get(`/registry/namespaces/${namespace}`);
    if (!found) throw notFound({ group: "", resource: "namespaces" }, namespace);
    const text = getOwn(found.metadata.annotations, annotation);
    return text === undefined ? undefined : readTolerations(text);
  }

  function check(attributes: AdmissionAttributes): void {
    const { tolerations = [] } = (attributes.object as StoredPod).spec;
    if (tolerations.length === 0) return;
    const own = ofNamespace(attributes, whitelist);
    if (areAllowed(tolerations, own ?? configuration.whitelist)) return;
    throw new StatusError({
      code: 500,
      reason: "",
      message: `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${own ? "namespace" : "cluster"} whitelist`,
    });
  }

  return {
    name: "PodTolerationRestriction",
    operations: ["CREATE", "UPDATE"],
    admit(attributes) {
      if (!isPodItself(attributes)) return;
      const { spec, status } = attributes.object as StoredPod;
      const extra =
        attributes.operation === "CREATE" ? [...(ofNamespace(attributes, defaults) ?? configuration.default)] : [];
      if ((status?.qosClass || qosClass(spec)) !== "BestEffort")
        extra.push({ key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" });
      if (extra.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], extra);
      check(attributes);
    },
    validate(attributes) {
      if (isPodItself(attributes)) check(attributes);
    },
  };
}

function readTolerations(text: string): Toleration[] {
  if (text === "") return [];
  const read = readJsonObjects(text, "v1.Toleration");
  if ("problem" in read) throw new StatusError({ code: 500, reason: "", message: read.problem });
  return read.value as Toleration[];
}

export function readTolerationConfiguration(configuration: PluginConfiguration | undefined): TolerationConfiguration {
  const read = configuration
    ? readConfiguration<TolerationConfiguration>(configuration, {
        "podtolerationrestriction.admission.k8s.io/v1alpha1": "Configuration",
      })
    : {};
  return { default: read.default ?? [], whitelist: read.whitelist ?? [] };
}
