import { parseOnlyFlags } from "@coxswain/component/flags";
import { describe, expect, it } from "vitest";
import { complete } from "./complete.js";
import { serverFlags } from "./server-flags.js";

function completed(...args: string[]) {
  const parsed = parseOnlyFlags(serverFlags, args);
  if (parsed.kind === "help") throw new Error("no options");
  return complete(parsed.options);
}

describe("flags that contradict each other are refused", () => {
  const cases: { name: string; args: string[]; error: RegExp }[] = [
    { name: "a certificate without its key", args: ["--tls-cert-file=a"], error: /must be given together/ },
    { name: "etcd's certificate without its key", args: ["--etcd-certfile=a"], error: /must be given together/ },
    {
      name: "no cluster, and one's kubeconfig",
      args: ["--alone", "--kubeconfig=a"],
      error: /leave out the kubeconfigs/,
    },
    {
      name: "an admission plugin that is not there",
      args: ["--disable-admission-plugins=LimitRanger"],
      error: /there is no "LimitRanger", only NamespaceLifecycle/,
    },
  ];
  for (const { name, args, error } of cases) it(name, () => expect(() => completed(...args)).toThrow(error));
});

it("one kubeconfig is for both reviews, unless each has its own", () => {
  expect(completed("--kubeconfig=a", "--authorization-kubeconfig=b").access).toEqual({
    by: "cluster",
    authentication: "a",
    authorization: "b",
  });
});

it("the embedded store is the default, an etcd cluster where it is named", () => {
  expect(completed("--data-dir=d").store).toEqual({ engine: "embedded", directory: "d" });
  expect(completed("--etcd-servers=http://a,http://b").store).toMatchObject({ servers: ["http://a", "http://b"] });
});

it("namespaces of the cluster count unless the plugin is left out", () => {
  expect(completed().admission.namespaces).toBe(true);
  expect(completed("--disable-admission-plugins=NamespaceLifecycle").admission.namespaces).toBe(false);
});
