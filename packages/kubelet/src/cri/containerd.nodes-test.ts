import { busyboxRef } from "@coxswain/tools/images";
import { startTestMachine } from "@coxswain/tools/nodes";
import { describeContainerRuntime } from "../runtime/describe-container-runtime.test.support.js";
import { openCri } from "./open-cri.test.support.js";

describeContainerRuntime("Debian's containerd", async () => {
  const machine = await startTestMachine();
  const { containers, stop } = await openCri(machine.endpoint);
  return { containers, image: busyboxRef, cgroupParent: `${machine.cgroupRoot}/kubepods`, stop };
});
