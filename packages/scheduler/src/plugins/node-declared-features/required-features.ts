import type { Pod } from "../../pod/objects.js";

/** What a node must declare for pods of some kinds. */
const requirements: readonly { readonly feature: string; isNeededBy(pod: Pod): boolean }[] = [
  {
    feature: "RestartAllContainersOnContainerExits",
    isNeededBy: ({ spec }) =>
      [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].some(({ restartPolicyRules }) =>
        restartPolicyRules?.some(({ action }) => action === "RestartAllContainers"),
      ),
  },
  {
    feature: "UserNamespacesHostNetworkSupport",
    isNeededBy: ({ spec }) => spec?.hostNetwork === true && spec.hostUsers === false,
  },
];

/** Sorted by name. */
export const requiredFeatures = (pod: Pod): readonly string[] =>
  requirements.filter(({ isNeededBy }) => isNeededBy(pod)).map(({ feature }) => feature);
