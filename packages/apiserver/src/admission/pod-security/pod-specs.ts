import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { PodUnderCheck } from "./check.js";

interface Template {
  readonly metadata?: PodUnderCheck["metadata"];
  readonly spec?: PodUnderCheck["spec"];
}
type Holder = {
  readonly template?: Template;
  readonly spec?: {
    readonly template?: Template;
    readonly jobTemplate?: { readonly spec?: { readonly template?: Template } };
  };
};

const ofSpec = (object: Holder): Template | undefined => object.spec?.template;

/** Where the kinds that make pods have their pod template. */
const templates = new Map<string, (object: Holder) => Template | undefined>([
  ["/replicationcontrollers", ofSpec],
  ["/podtemplates", ({ template }) => template],
  ["apps/replicasets", ofSpec],
  ["apps/deployments", ofSpec],
  ["apps/statefulsets", ofSpec],
  ["apps/daemonsets", ofSpec],
  ["batch/jobs", ofSpec],
  ["batch/cronjobs", ({ spec }) => spec?.jobTemplate?.spec?.template],
]);

export const makesPods = (group: string, resource: string): boolean => templates.has(`${group}/${resource}`);

export function podOf(group: string, resource: string, object: KubernetesObject): PodUnderCheck | undefined {
  const template = templates.get(`${group}/${resource}`)?.(object as Holder);
  return template && { metadata: template.metadata ?? {}, spec: template.spec ?? { containers: [] } };
}
