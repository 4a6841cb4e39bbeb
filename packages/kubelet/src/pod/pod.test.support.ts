import type { Container, ContainerStatus, Pod, PodSpec } from "@coxswain/api/core/v1";
import type { ObjectMeta } from "@coxswain/api/meta/v1";
import type { CachedPod } from "../objects/cached-pod.js";
import type { ContainerRecord, PodRuntimeStatus, SandboxRecord } from "../runtime/container-runtime.js";
import { specHash } from "./spec-hash.js";

/** Builders that keep the rows of tables on one line. */
export const pod = (spec: Partial<PodSpec> = {}, metadata: ObjectMeta = {}, rest: Partial<Pod> = {}): CachedPod => ({
  metadata: { name: "web", namespace: "default", uid: "u1", generation: 1, ...metadata },
  spec: { containers: [{ name: "a", image: "i" }], ...spec },
  ...rest,
});

export const c = (name: string, fields: Partial<Container> = {}): Container => ({ name, image: "i", ...fields });
export const sidecar = (name: string, fields: Partial<Container> = {}): Container =>
  c(name, { restartPolicy: "Always", ...fields });

/** "running", "exited 0", "created": one run of a container. */
export function run(name: string, state: string, fields: Partial<ContainerRecord> = {}): ContainerRecord {
  const [kind = "running", code] = state.split(" ");
  return {
    id: `${name}-0`,
    sandboxId: "s",
    name,
    attempt: 0,
    state: kind as ContainerRecord["state"],
    image: "i",
    imageId: "sha256:0",
    imageRef: "i@sha256:0",
    specHash: specHash({ name, image: "i" }),
    resources: {},
    createdAt: 0,
    ...(kind !== "created" && { startedAt: 0 }),
    ...(code !== undefined && {
      exitCode: Number(code),
      finishedAt: 1000,
      reason: code === "0" ? "Completed" : "Error",
    }),
    ...fields,
  };
}

export const sandbox = (state: SandboxRecord["state"] = "ready"): SandboxRecord => ({
  id: "s",
  attempt: 0,
  state,
  ips: ["10.0.0.2"],
  createdAt: 0,
});

/** Containers by name and state: `{ a: "running", b: "exited 1" }`; undefined sandbox: none yet. */
export const runtime = (
  states: Readonly<Record<string, string>>,
  box: SandboxRecord | undefined = sandbox(),
): PodRuntimeStatus => ({
  sandboxes: box ? [box] : [],
  containers: new Map(Object.entries(states).map(([name, state]) => [name, [run(name, state)]])),
});

/** "running", "running unstarted", "exited 1", "waiting", "waiting after 1": the status of a container. */
export function status(name: string, text: string): ContainerStatus {
  const base = { name, image: "i", imageID: "", restartCount: 0, ready: false };
  const [kind, detail, code] = text.split(" ");
  if (kind === "running")
    return { ...base, ready: detail !== "unready", started: detail !== "unstarted", state: { running: {} } };
  if (kind === "exited") return { ...base, state: { terminated: { exitCode: Number(detail) } }, ready: detail === "0" };
  const last = code === undefined ? {} : { lastState: { terminated: { exitCode: Number(code) } } };
  return { ...base, state: { waiting: {} }, ...last };
}
