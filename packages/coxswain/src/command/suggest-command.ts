import { nearest } from "@coxswain/component/flags";

/** What those who come from other programs type: kind, k3d, minikube, docker. */
const elsewhere: Readonly<Record<string, string>> = {
  start: "up",
  run: "up",
  "create cluster": "up",
  stop: "down",
  "delete cluster": "reset",
  list: "status",
  ls: "status",
  ps: "status",
  dashboard: "console",
};

const kubectl = new Set(
  "annotate api-resources api-versions apply attach auth autoscale cluster-info config cordon cp create debug delete describe drain edit events exec explain expose get kustomize label patch port-forward replace rollout run scale set taint top uncordon".split(
    " ",
  ),
);

/** Pure: what to try instead of words that name no command, as a sentence. */
export function suggestCommand([name = "", second = ""]: readonly string[], commands: readonly string[]): string {
  const known = [`${name} ${second}`, ...(kubectl.has(name) && second !== "" ? [] : [name])];
  const meant = known.flatMap((word) => (Object.hasOwn(elsewhere, word) ? [elsewhere[word]] : []))[0];
  if (meant !== undefined) return `Did you mean "coxswain ${meant}"?`;
  if (kubectl.has(name)) return `Did you mean "coxswain kubectl ${name}"?`;
  const near = nearest(name, commands);
  return near ? `Did you mean "coxswain ${near}"?` : 'Try "coxswain help".';
}
