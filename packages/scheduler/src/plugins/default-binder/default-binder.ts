import type { Binding } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { reasonHeader } from "@coxswain/client/work";
import type { Plugin } from "../../framework/plugin.js";
import { errorStatus } from "../../framework/status.js";

const name = "DefaultBinder";

/** Binds by the binding subresource of the pod. */
export const createDefaultBinder = ({ client }: { readonly client: Client }): Plugin => ({
  name,
  async bind({ pod: { pod }, choice }, nodeName, signal) {
    const { namespace = "", name: podName = "", uid } = pod.metadata ?? {};
    const binding: Binding = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { namespace, name: podName, ...(uid !== undefined && { uid }) },
      target: { kind: "Node", name: nodeName },
    };
    try {
      await client.core.v1
        .pods(namespace)
        .subresource<Binding>("binding")
        .create(podName, binding, { signal, ...(choice !== "" && { headers: { [reasonHeader]: choice } }) });
      return undefined;
    } catch (error) {
      return errorStatus(name, error);
    }
  },
});
