import type { Container, PodSpec, SecurityContext } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { c, pod } from "../pod/pod.test.support.js";
import { ConfigError, type ImageRecord } from "../runtime/container-runtime.js";
import { planNamespaces, planSandboxSecurity, planSecurity } from "./plan-security.js";

const facts = { seccompRoot: "/var/lib/kubelet/seccomp", seccompDefault: false };
const image = (user: ImageRecord["user"] = {}): ImageRecord => ({
  image: "i",
  id: "sha256:0",
  ref: "i@sha256:0",
  tags: ["i"],
  digests: [],
  sizeBytes: 1,
  user,
  pinned: false,
});
const secured = (context: SecurityContext, spec: Partial<PodSpec> = {}, user: ImageRecord["user"] = {}) => {
  const container: Container = c("a", { securityContext: context });
  return planSecurity({ pod: pod({ containers: [container], ...spec }), container, image: image(user) }, facts);
};

const cases: {
  name: string;
  context?: SecurityContext;
  spec?: Partial<PodSpec>;
  user?: ImageRecord["user"];
  is: object;
}[] = [
  { name: "root, by default", is: { runAsUser: { value: 0 }, privileged: false, noNewPrivs: false } },
  { name: "the image's user by number", user: { uid: 7 }, is: { runAsUser: { value: 7 } } },
  { name: "the image's user by name", user: { name: "web" }, is: { runAsUsername: "web" } },
  {
    name: "the pod's user and group",
    spec: { securityContext: { runAsUser: 1, runAsGroup: 2 } },
    user: { uid: 7 },
    is: { runAsUser: { value: 1 }, runAsGroup: { value: 2 } },
  },
  {
    name: "the container's user before the pod's",
    context: { runAsUser: 3 },
    spec: { securityContext: { runAsUser: 1, runAsGroup: 2 } },
    is: { runAsUser: { value: 3 }, runAsGroup: { value: 2 } },
  },
  {
    name: "groups: the volumes', then the pod's, merged or strict",
    spec: { securityContext: { fsGroup: 5, supplementalGroups: [6, 7], supplementalGroupsPolicy: "Strict" } },
    is: { supplementalGroups: [5, 6, 7], supplementalGroupsPolicy: 1 },
  },
  {
    name: "capabilities",
    context: { capabilities: { add: ["NET_ADMIN"], drop: ["ALL"] } },
    is: { capabilities: { addCapabilities: ["NET_ADMIN"], dropCapabilities: ["ALL"] } },
  },
  { name: "no new privileges", context: { allowPrivilegeEscalation: false }, is: { noNewPrivs: true } },
  {
    name: "privileged, with a read-only root and all of /proc",
    context: { privileged: true, readOnlyRootFilesystem: true, procMount: "Unmasked" },
    is: { privileged: true, readonlyRootfs: true, maskedPaths: [], readonlyPaths: [] },
  },
  { name: "no seccomp profile", is: { seccomp: { profileType: 1 } } },
  {
    name: "the pod's seccomp profile",
    spec: { securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
    is: { seccomp: { profileType: 0 } },
  },
  {
    name: "a seccomp profile of the node before the pod's",
    context: { seccompProfile: { type: "Localhost", localhostProfile: "a/b.json" } },
    spec: { securityContext: { seccompProfile: { type: "Unconfined" } } },
    is: { seccomp: { profileType: 2, localhostRef: "/var/lib/kubelet/seccomp/a/b.json" } },
  },
  {
    name: "an AppArmor profile, in both forms",
    context: { appArmorProfile: { type: "Localhost", localhostProfile: "p" } },
    is: { apparmor: { profileType: 2, localhostRef: "p" }, apparmorProfile: "localhost/p" },
  },
];

describe("who a container runs as, and what it may do", () => {
  for (const { name, context = {}, spec, user, is } of cases)
    it(name, () => expect(secured(context, spec, user)).toMatchObject(is));
  it("the runtime's seccomp profile, by the node's configuration", () =>
    expect(
      planSecurity({ pod: pod(), container: c("a"), image: image() }, { ...facts, seccompDefault: true }).seccomp,
    ).toEqual({ profileType: 0 }));
  it("what is hidden of /proc", () => expect(secured({}).maskedPaths).toContain("/proc/kcore"));
});

const refused: { name: string; context: SecurityContext; user?: ImageRecord["user"]; message: string }[] = [
  {
    name: "root by its own runAsUser",
    context: { runAsNonRoot: true, runAsUser: 0 },
    message: `container's runAsUser breaks non-root policy (pod: "web_default(u1)", container: a)`,
  },
  {
    name: "root by its image",
    context: { runAsNonRoot: true },
    message: `container has runAsNonRoot and image will run as root (pod: "web_default(u1)", container: a)`,
  },
  {
    name: "a user whose number nobody knows",
    context: { runAsNonRoot: true },
    user: { name: "web" },
    message: `container has runAsNonRoot and image has non-numeric user (web), cannot verify user is non-root (pod: "web_default(u1)", container: a)`,
  },
  {
    name: "a profile without a name",
    context: { seccompProfile: { type: "Localhost" } },
    message: "localhostProfile must be set if seccompProfile type is Localhost.",
  },
];

describe("a container is refused as", () => {
  for (const { name, context, user, message } of refused)
    it(name, () => expect(() => secured(context, {}, user)).toThrow(new ConfigError(message)));
  it("nobody, where another user than root is certain", () =>
    expect(secured({ runAsNonRoot: true }, {}, { uid: 5 }).runAsUser).toEqual({ value: 5 }));
});

const namespaces: { name: string; spec: Partial<PodSpec>; target?: string; is: object }[] = [
  { name: "of its own, processes apart by container", spec: {}, is: { network: 0, ipc: 0, pid: 1 } },
  { name: "shared processes", spec: { shareProcessNamespace: true }, is: { pid: 0 } },
  { name: "the node's", spec: { hostNetwork: true, hostPID: true, hostIPC: true }, is: { network: 2, ipc: 2, pid: 2 } },
  { name: "those of another container", spec: {}, target: "c1", is: { pid: 3, targetId: "c1" } },
  { name: "no target where processes are shared anyway", spec: { hostPID: true }, target: "c1", is: { pid: 2 } },
];

describe("the namespaces of a pod", () => {
  for (const { name, spec, target, is } of namespaces)
    it(name, () => expect(planNamespaces({ pod: pod(spec) }, target)).toMatchObject(is));
  it("users of its own are those of the node from a number on", () => {
    const ids = [{ hostId: 131_072, containerId: 0, length: 65_536 }];
    const userNamespace = { firstId: 131_072, length: 65_536 };
    expect(planNamespaces({ pod: pod(), userNamespace }).usernsOptions).toEqual({ mode: 0, uids: ids, gids: ids });
    expect(planNamespaces({ pod: pod() }).usernsOptions).toEqual({ mode: 2 });
  });
  it("the sandbox is privileged where a container is, and always has the runtime's seccomp profile", () =>
    expect(
      planSandboxSecurity({
        pod: pod({
          containers: [c("a", { securityContext: { privileged: true } })],
          securityContext: { seccompProfile: { type: "Unconfined" }, runAsUser: 3 },
        }),
      }),
    ).toMatchObject({ privileged: true, seccomp: { profileType: 0 }, runAsUser: { value: 3 } }));
});
