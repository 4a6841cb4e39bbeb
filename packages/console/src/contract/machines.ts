/** The annotation by which simulated nodes fail: "off", "unreachable". */
export const machineAnnotation = "simulation.coxswain.dev/machine";

/** Whether a node of that `status.nodeInfo` follows the annotation. */
export const isSimulated = (nodeInfo: { readonly containerRuntimeVersion?: string }): boolean =>
  nodeInfo.containerRuntimeVersion?.startsWith("simulated://") ?? false;
