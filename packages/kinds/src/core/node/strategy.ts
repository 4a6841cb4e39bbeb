import type { DeepReadonly } from "@coxswain/api";
import { fieldPath } from "@coxswain/apimachinery/field";
import { cidrWarnings } from "@coxswain/apimachinery/validation";
import { keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { setAllocatable } from "./defaults.js";
import type { StoredNode } from "./stored.js";
import { checkNode, checkNodeUpdate } from "./validation.js";

/** A node is created with its status: the kubelet does both in one. */
export const nodeStrategy: Strategy<StoredNode> = {
  resetFields: [["status"]],
  prepareForCreate({ spec, status }) {
    // Of a feature that was taken back.
    delete spec.configSource;
    delete status.config;
  },
  // What was given as empty is read back from the store as not given, and gets its default then.
  canonicalize: ({ status }) => setAllocatable(status),
  validateCreate: checkNode,
  warningsOnCreate: warnings,
  prepareForUpdate(node, old) {
    keep(node, old, "status");
    if (!old.spec.configSource) delete node.spec.configSource;
  },
  validateUpdate: (node, old) => [...checkNode(node), ...checkNodeUpdate(node, old)],
  warningsOnUpdate: warnings,
};

function warnings({ spec }: DeepReadonly<StoredNode>): string[] {
  return [
    ...(spec.configSource ? ["spec.configSource: the feature is removed"] : []),
    ...(spec.externalID ? ["spec.externalID: this field is deprecated, and is unused by Kubernetes"] : []),
    ...(spec.podCIDRs ?? []).flatMap((range, at) => cidrWarnings(range, fieldPath("spec", "podCIDRs").index(at))),
  ];
}

export const nodeStatusStrategy: UpdateStrategy<StoredNode> = {
  resetFields: [["spec"]],
  prepareForUpdate(node, old) {
    keep(node, old, "spec");
    if (!old.status.config) delete node.status.config;
  },
  validateUpdate: checkNodeUpdate,
};
