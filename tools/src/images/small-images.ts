import { type BusyboxFacts, busyboxLayer } from "./busybox-layer.js";
import type { ImagesPlan } from "./image-plan.js";

/** What containerd starts first in every pod unless its configuration names another. */
export const pauseRef = "registry.k8s.io/pause:3.10.2";
export const busyboxRef = "localhost/coxswain/busybox:1";

/** Enough for pods on a machine with busybox: no compiler, no Go and no registry is needed to make them. */
export const planSmallImages = (facts: BusyboxFacts): ImagesPlan => ({
  layers: { busybox: { kind: "entries", entries: busyboxLayer(facts) } },
  images: [
    { refs: [busyboxRef], layers: ["busybox"], config: { Cmd: ["sh"] } },
    // `sleep` as the first process of a pod ignores SIGTERM and reaps nobody: containerd ends it by SIGKILL.
    { refs: [pauseRef], layers: ["busybox"], config: { Entrypoint: ["/bin/busybox", "sleep", "2147483647"] } },
  ],
});
