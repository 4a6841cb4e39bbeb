import type { DeepReadonly } from "@coxswain/api";
import type { Namespace } from "@coxswain/api/core/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { createSharedInformer } from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import type { AdmissionAttributes, AdmissionPlugin } from "../admission/admission.js";
import { forbid } from "../admission/forbid.js";
import { createNamespaceLifecycle, type NamespacePhase } from "../admission/namespace-lifecycle.js";

/** k8s.io/apiserver/pkg/admission/initializer and `WaitForReady` of its plugins: so long a request waits for the first list. */
const readyMs = 10_000;

/**
 * Nothing is created in a namespace that the cluster does not have, or that ends: NamespaceLifecycle, which k8s.io/apiserver's programs run
 * too (pkg/admission/plugin/namespace/lifecycle/admission.go). The namespaces are watched from now on; one that is not known yet is asked
 * for. The client's user needs to get, list and watch namespaces.
 */
export function namespaceLifecycle(client: Client, { clock, log }: Pick<Runtime, "clock" | "log">): AdmissionPlugin {
  const namespaces = createSharedInformer<Namespace>({
    listerWatcher: client.core.v1.namespaces(),
    onError: (error) => log.warn("namespaces cannot be watched", { error }),
  });
  namespaces.start();

  const known: NamespacePhase = (name) => phaseOf(namespaces.indexer.getByKey(name));
  const decideBy = (phase: NamespacePhase, attributes: AdmissionAttributes) =>
    createNamespaceLifecycle(phase).admit?.(attributes);

  async function decideLater(attributes: AdmissionAttributes): Promise<void> {
    const waiting = new AbortController();
    const timer = clock.setTimer(readyMs, () => waiting.abort());
    const isReady = await namespaces.whenSynced(waiting.signal).then(
      () => true,
      () => false,
    );
    timer.cancel();
    if (!isReady) throw forbid(attributes, "not yet ready to handle request");
    const { namespace } = attributes;
    const phase = known(namespace) ?? phaseOf(await client.core.v1.namespaces().get(namespace).catch(ignoreMissing));
    await decideBy(() => phase, attributes);
  }

  return {
    name: "NamespaceLifecycle",
    operations: ["CREATE", "UPDATE", "DELETE"],
    admit(attributes) {
      const { operation, namespace } = attributes;
      if (operation === "DELETE" || namespace === "" || known(namespace) !== undefined)
        return decideBy(known, attributes);
      return decideLater(attributes);
    },
    stop: () => void namespaces.stop(),
  };
}

const phaseOf = (namespace: DeepReadonly<Namespace> | undefined): ReturnType<NamespacePhase> =>
  namespace && (namespace.status?.phase === "Terminating" ? "Terminating" : "Active");

function ignoreMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}
