import type { Action, ActionRequest } from "../contract/action.js";
import { machineAnnotation } from "../contract/machines.js";
import type { KubernetesValue, ObjectRef, ResourceInfo } from "../contract/messages.js";
import { kubectlName, pathOf } from "../contract/paths.js";

const merge = "application/merge-patch+json";

/** Words that a shell must not read. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const inNamespace = ({ namespace }: ObjectRef): string => (namespace === "" ? "" : ` -n ${quoted(namespace)}`);

type Query = readonly (readonly [name: string, value: string])[];

const write = (
  method: ActionRequest["method"],
  path: string,
  contentType: string,
  body: unknown,
  query: Query = [],
): ActionRequest => ({ method, path, query: [["fieldManager", "coxswain-console"], ...query], contentType, body });

const patch = (ref: ObjectRef, body: unknown, subresource = ""): ActionRequest =>
  write("PATCH", pathOf({ ...ref, subresource }), merge, body);

/** A typing error in a document is a refusal. */
const strict: Query = [["fieldValidation", "Strict"]];

const kubectlPatch = (ref: ObjectRef, body: unknown): string =>
  `kubectl patch ${kubectlName(ref)}${inNamespace(ref)} --type=merge -p ${quoted(JSON.stringify(body))}`;

const restarted = new Set(["deployments", "statefulsets", "daemonsets"]);

/** Pure: what can be done with an object of a kind. Each is one request, as data. @param now RFC 3339, for restarts */
export function actionsFor(info: ResourceInfo, ref: ObjectRef, now: string): Action[] {
  const has = (verb: string): boolean => info.verbs.includes(verb);
  const actions: Action[] = [];
  if (has("patch")) {
    if (info.group === "apps" && restarted.has(info.resource)) actions.push(restart(ref, now));
    if (info.resource === "cronjobs" || info.resource === "jobs") actions.push(suspend(ref, true), suspend(ref, false));
    if (info.group === "" && info.resource === "nodes") actions.push(cordon(ref, true), cordon(ref, false));
  }
  if (has("delete")) actions.push(remove(ref));
  return actions;
}

function restart(ref: ObjectRef, now: string): Action {
  const annotations = { "kubectl.kubernetes.io/restartedAt": now };
  return {
    id: "restart",
    title: "Restart",
    isDangerous: false,
    request: patch(ref, { spec: { template: { metadata: { annotations } } } }),
    kubectl: `kubectl rollout restart ${kubectlName(ref)}${inNamespace(ref)}`,
  };
}

function suspend(ref: ObjectRef, isSuspended: boolean): Action {
  const body = { spec: { suspend: isSuspended } };
  return {
    id: isSuspended ? "suspend" : "resume",
    title: isSuspended ? "Suspend" : "Resume",
    isDangerous: false,
    request: patch(ref, body),
    kubectl: kubectlPatch(ref, body),
  };
}

/** Pure: the request of a new number of replicas. */
export function scaleAction(ref: ObjectRef, replicas: number): Action {
  return {
    id: "scale",
    title: `Scale to ${replicas}`,
    isDangerous: replicas === 0,
    request: patch(ref, { spec: { replicas } }, "scale"),
    kubectl: `kubectl scale ${kubectlName(ref)}${inNamespace(ref)} --replicas=${replicas}`,
  };
}

function remove(ref: ObjectRef): Action {
  return {
    id: "delete",
    title: "Delete",
    isDangerous: true,
    request: {
      method: "DELETE",
      path: pathOf(ref),
      query: [],
      contentType: "",
      body: { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" },
    },
    kubectl: `kubectl delete ${kubectlName(ref)}${inNamespace(ref)} --wait=false`,
  };
}

const cordon = (ref: ObjectRef, isOff: boolean): Action => ({
  id: isOff ? "cordon" : "uncordon",
  title: isOff ? "Cordon" : "Uncordon",
  isDangerous: false,
  request: patch(ref, { spec: { unschedulable: isOff ? true : null } }),
  kubectl: `kubectl ${isOff ? "cordon" : "uncordon"} ${ref.name}`,
});

/** Pure: turns a simulated machine off, cuts it off, or ends that. `coxswain node` does the same. */
export function machineAction(ref: ObjectRef, state: "off" | "unreachable" | "on"): Action {
  const body = { metadata: { annotations: { [machineAnnotation]: state === "on" ? null : state } } };
  const words = { off: ["kill", "Kill"], unreachable: ["partition", "Partition"], on: ["recover", "Recover"] } as const;
  const [command, title] = words[state];
  return {
    id: command,
    title,
    isDangerous: state !== "on",
    request: patch(ref, body),
    kubectl: kubectlPatch(ref, body),
  };
}

/** Pure: an edited document in place of the object. With its resourceVersion, a change by somebody else is a conflict. */
export function replaceAction(ref: ObjectRef, body: unknown): Action {
  return {
    id: "save",
    title: "Save",
    isDangerous: false,
    request: write("PUT", pathOf(ref), "application/json", body, strict),
    kubectl: `kubectl replace${inNamespace(ref)} -f ${ref.name}.yaml`,
  };
}

const withoutUndefined = (value: object): unknown => JSON.parse(JSON.stringify(value));

/** Pure: an object that is gone, made again as it was: with a new uid, without owners, which may be gone too, and without status. */
export function restoreAction(ref: ObjectRef, past: KubernetesValue): Action {
  const { name, namespace, labels, annotations, finalizers } = past.metadata ?? {};
  const { status: _, ...rest } = past;
  const metadata = { name, namespace, labels, annotations, finalizers };
  return {
    id: "restore",
    title: "Restore",
    isDangerous: false,
    request: write("POST", pathOf({ ...ref, name: "" }), "application/json", withoutUndefined({ ...rest, metadata })),
    kubectl: `kubectl history restore ${kubectlName(ref)}${inNamespace(ref)} --to r${past.metadata?.resourceVersion ?? ""}`,
  };
}

/** Pure: an edited document by server-side apply: only the fields in it are claimed, and another manager's are a conflict. */
export function applyAction(ref: ObjectRef, body: unknown, force: boolean): Action {
  return {
    id: "apply",
    title: force ? "Apply by force" : "Apply",
    isDangerous: force,
    request: write("PATCH", pathOf(ref), "application/apply-patch+yaml", body, [
      ...strict,
      ...(force ? [["force", "true"] as const] : []),
    ]),
    kubectl: `kubectl apply --server-side --field-manager=coxswain-console${force ? " --force-conflicts" : ""}${inNamespace(ref)} -f ${ref.name}.yaml`,
  };
}
