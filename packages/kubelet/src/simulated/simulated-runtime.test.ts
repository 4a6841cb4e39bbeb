import { systemRuntime } from "@coxswain/runtime";
import { createPodAddresses } from "../addresses/pod-addresses.js";
import { describeContainerRuntime } from "../runtime/describe-container-runtime.test.support.js";
import { createSimulatedMachine } from "./simulated-machine.js";
import { SimulatedRuntime } from "./simulated-runtime.js";

describeContainerRuntime("simulated", async () => {
  const runtime = systemRuntime();
  const containers = new SimulatedRuntime({
    runtime,
    addresses: createPodAddresses("10.0.0.0/24"),
    rules: {},
    imageRules: [],
    machine: createSimulatedMachine(runtime.scheduler),
    complete: async (config) => config,
    node: () => undefined,
  });
  return { containers, image: "busybox", cgroupParent: "", stop: async () => containers.lose() };
});
