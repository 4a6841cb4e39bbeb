import type { Clock } from "@coxswain/apimachinery/clock";
import type { Client } from "@coxswain/client";
import type { PodSources } from "../worker/pod-sources.js";

export function createPodSources(_options: { client: Client; clock: Clock }): PodSources {
  return {
    mount: async () => new Map(),
    environment: async (_pod, container) =>
      new Map((container.env ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
  };
}
