import { parseLabelSelector, type Selector } from "@coxswain/apimachinery/selector";
import { messageOf } from "../pods/pod-control.js";
import type { CachedPod } from "../pods/pod-state.js";
import type { ControllingAutoscalers } from "./controlling-autoscalers.js";
import type { Finding } from "./plan.js";

/** The target cannot be scaled by its pods. */
export class TargetPodsError extends Error {
  /** Of the event. */
  readonly reason: string;
  readonly finding: Finding;

  constructor(reason: string, message: string, finding: Pick<Finding, "reason" | "message">) {
    super(message);
    this.reason = reason;
    this.finding = { type: "ScalingActive", status: "False", ...finding };
  }
}

export interface TargetPodsInputs {
  /** Of the autoscaler. */
  readonly key: string;
  readonly namespace: string;
  /** In the target's scale. */
  readonly selector: string;
  readonly podsOf: (selector: Selector) => readonly CachedPod[];
  readonly controlling: ControllingAutoscalers;
}

/** The pods of the target, unless another autoscaler scales one of them too. @throws TargetPodsError */
export function targetPods({ key, namespace, selector: text, podsOf, controlling }: TargetPodsInputs): {
  readonly selector: Selector;
  readonly pods: readonly CachedPod[];
} {
  if (text === "") {
    const finding = { reason: "InvalidSelector", message: "the HPA target's scale is missing a selector" };
    throw new TargetPodsError("SelectorRequired", "selector is required", finding);
  }
  const selector = parse(text);
  controlling.register(key, selector);
  const pods = podsOf(selector);
  const others = controlling.of(namespace, pods);
  if (others.length > 1) {
    const shown = others.map((other) => `{${other.slice(other.indexOf("/") + 1)} ${namespace}}`).join(" ");
    const message = `pods by selector ${text} are controlled by multiple HPAs: [${shown}]`;
    throw new TargetPodsError("AmbiguousSelector", message, { reason: "AmbiguousSelector", message });
  }
  return { selector, pods };
}

function parse(text: string): Selector {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    const message = `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`;
    throw new TargetPodsError("InvalidSelector", message, { reason: "InvalidSelector", message });
  }
}
