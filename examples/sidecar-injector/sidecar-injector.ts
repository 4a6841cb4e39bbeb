// A webhook that adds a log shipper to pods that ask for one, and refuses pods that bring a container of that name themselves.
import type { Pod } from "@coxswain/api/core/v1";
import { builtIn, type Manager } from "@coxswain/operator";

const { pods } = builtIn.core.v1;
const wanted = "example.com/ship-logs";
const sidecar = "log-shipper";
const volume = { name: "logs", emptyDir: {} };

const wantsSidecar = (pod: Pod): boolean => pod.metadata?.annotations?.[wanted] === "true";
const hasSidecar = (pod: Pod): boolean => (pod.spec?.initContainers ?? []).some(({ name }) => name === sidecar);

/** Changes the pod. Called again for the same pod (API servers do), it changes nothing. */
export function injectSidecar(pod: Pod, image: string): void {
  if (!wantsSidecar(pod) || hasSidecar(pod) || !pod.spec) return;
  const mount = { name: volume.name, mountPath: "/var/log/app" };
  pod.spec.volumes = [...(pod.spec.volumes ?? []), volume];
  for (const container of pod.spec.containers) container.volumeMounts = [...(container.volumeMounts ?? []), mount];
  // An init container that restarts is a sidecar: it starts before the others and ends after them.
  const shipper = { name: sidecar, image, restartPolicy: "Always" as const, volumeMounts: [mount] };
  pod.spec.initContainers = [...(pod.spec.initContainers ?? []), shipper];
}

export function addInjector(manager: Manager, image: string): void {
  manager.webhook(pods, {
    default: (pod) => injectSidecar(pod, image),
    validate: {
      create(pod, admission) {
        const taken = pod.spec?.containers.some(({ name }) => name === sidecar);
        if (taken) throw new Error(`the container name ${sidecar} is taken by the injector: choose another one`);
        if (wantsSidecar(pod)) admission.warn(`a container ${sidecar} was added`);
      },
    },
  });
}
