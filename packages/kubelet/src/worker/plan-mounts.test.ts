import type { VolumeMount } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { c } from "../pod/pod.test.support.js";
import type { FileSource } from "../runtime/container-runtime.js";
import { planMount } from "./plan-mounts.js";

const volumes = new Map<string, FileSource>([["v", { kind: "host", path: "/data" }]]);
const env = new Map([
  ["POD", "web"],
  ["EMPTY", ""],
]);
const plan = (mount: Partial<VolumeMount>, hasRecursiveReadOnly = true) =>
  planMount({ name: "v", mountPath: "/mnt", ...mount }, { container: c("a"), volumes, env, hasRecursiveReadOnly });

const planned: { name: string; mount: Partial<VolumeMount>; is: object }[] = [
  { name: "whole", mount: {}, is: { path: "/mnt", readOnly: false, propagation: "None", recursiveReadOnly: false } },
  { name: "a part", mount: { subPath: "a/b" }, is: { subPath: "a/b" } },
  { name: "a part with variables", mount: { subPathExpr: "$(POD)/logs" }, is: { subPath: "web/logs" } },
  {
    name: "read-only with all below",
    mount: { readOnly: true, recursiveReadOnly: "IfPossible" },
    is: { recursiveReadOnly: true },
  },
  { name: "propagation", mount: { mountPropagation: "Bidirectional" }, is: { propagation: "Bidirectional" } },
];

describe("a mount of a container", () => {
  for (const { name, mount, is } of planned) it(name, () => expect(plan(mount)).toMatchObject(is));
  it("of an image is read-only, whatever the container asks for", () =>
    expect(
      planMount(
        { name: "v", mountPath: "/mnt" },
        { container: c("a"), volumes: new Map([["v", { kind: "image", ref: "a" }]]), env, hasRecursiveReadOnly: true },
      ).readOnly,
    ).toBe(true));
  it("not recursive, where the runtime cannot and it is only asked to try", () =>
    expect(plan({ readOnly: true, recursiveReadOnly: "IfPossible" }, false).recursiveReadOnly).toBe(false));
});

const refused: { name: string; mount: Partial<VolumeMount>; message: string }[] = [
  {
    name: "no volume",
    mount: { name: "w" },
    message: 'cannot find volume "w" to mount into container "a"',
  },
  {
    name: "an absolute part",
    mount: { subPathExpr: "/$(POD)" },
    message: "error SubPath `/web` must not be an absolute path",
  },
  {
    name: "a part that leads out",
    mount: { subPath: "a/../.." },
    message: "unable to provision SubPath `a/../..`: must not contain '..'",
  },
  {
    name: "variables without a value",
    mount: { subPathExpr: "$(MISSING)/$(EMPTY)/$(POD)" },
    message: "missing value for EMPTY, MISSING",
  },
  {
    name: "recursive, but writable",
    mount: { recursiveReadOnly: "Enabled" },
    message:
      'failed to resolve recursive read-only mode: volume "v" requested recursive read-only mode, but it is not read-only',
  },
];

describe("a mount is refused", () => {
  for (const { name, mount, message } of refused) it(name, () => expect(() => plan(mount)).toThrow(message));
});
