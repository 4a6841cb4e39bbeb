import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clusterKinds, listOf, namespacedKinds } from "./every-kind.js";

/** A folder with what the commands name: objects, a kustomization, an editor, and the kubectl under test as `kubectl`. */
export interface Scene {
  readonly folder: string;
  /** Added to the environment of every command. */
  readonly env: Readonly<Record<string, string>>;
}

const container = { name: "web", image: "registry.example/web:1", ports: [{ containerPort: 8080 }] };
const deployment = (replicas: number, image = container.image): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", labels: { app: "web" } },
  spec: {
    replicas,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ ...container, image }] } },
  },
});
const configMap = (name: string, data: object, labels?: object): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...(labels && { labels }) },
  data,
});
const pod = (name: string, metadata: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { app: name }, ...metadata },
  spec: { containers: [container] },
});
// Of jane in devs; its key is nowhere.
const request =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYU1JR0FBZ0VBTUI0eERUQUxCZ05WQkFvTUJHUmxkbk14RFRBTEJnTlZCQU1NQkdwaGJtVXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVFHTjFZVVBDTzNxMUE5dVdFaDZzem5OU1pWaE9TSjJPVnkyNFJxClJWckVTZEsrNVhNcG1WaGRwVXo5ejRPNHNvZktlU0g0d3hhNkJteUxpRFk3N09sMG9BQXdDZ1lJS29aSXpqMEUKQXdJRFNRQXdSZ0loQUpRTUNTdHJiOHRCM01uTEh5aHBFTy9GZmdabGlSTjJoWHFHcUtGeEtGVzZBaUVBNXU5UwpxN044TE45RnlTaC9SakFaNmdqV0JPSjFYMUdlQTQyR1g2aVcwVUU9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";

const files: Readonly<Record<string, unknown>> = {
  "namespaced.json": listOf(namespacedKinds),
  "cluster.json": listOf(clusterKinds),
  "described.json": listOf(
    clusterKinds.filter(
      (object) => !("kind" in object && ["ServiceCIDR", "VolumeAttributesClass"].includes(String(object.kind))),
    ),
  ),
  "roles.json": listOf(
    clusterKinds.filter((object) => "apiVersion" in object && String(object.apiVersion).startsWith("rbac.")),
  ),
  "web.json": deployment(2),
  "web-new.json": deployment(3, "registry.example/web:2"),
  "pods.json": listOf([pod("one"), pod("two"), pod("three")]),
  "bad-field.json": { ...configMap("bad", {}), oops: 1 },
  "invalid.json": { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "Not_Valid" } },
  "prune/a.json": configMap("prune-a", { a: "1" }, { set: "prune" }),
  "prune/b.json": configMap("prune-b", { a: "1" }, { set: "prune" }),
  "shared.json": configMap("shared", { owner: "first" }),
  "shared-second.json": configMap("shared", { owner: "second" }),
  "diff.json": configMap("shared", { owner: "changed" }),
  "cm.json": configMap("plain", { a: "1", b: "2" }),
  "cm-new.json": configMap("plain", { a: "one" }),
  "csr.json": {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name: "asked" },
    spec: { request, signerName: "example.com/signer", usages: ["digital signature"] },
  },
  "custom/kustomization.yaml": "namePrefix: k-\nlabels:\n- pairs:\n    from: kustomize\nresources:\n- cm.yaml\n",
  "custom/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: made\ndata:\n  a: b\n",
  "columns.txt": "NAME                IMAGE\n.metadata.name      .spec.containers[*].image\n",
  "template.txt": "{{range .items}}{{.metadata.name}} {{end}}",
  "env.txt": "COLOUR=blue\nSIZE=10\n",
};

export function makeScene({
  folder,
  kubectl,
  kubeconfig,
}: {
  folder: string;
  kubectl: string;
  kubeconfig: string;
}): Scene {
  rmSync(folder, { recursive: true, force: true });
  for (const path of ["bin", "prune", "custom", "home"]) mkdirSync(join(folder, path), { recursive: true });
  symlinkSync(kubectl, join(folder, "bin/kubectl"));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content, null, 1));
  // A copy: `kubectl config` changes it.
  writeFileSync(join(folder, "kubeconfig"), readFileSync(kubeconfig), { mode: 0o600 });
  return {
    folder,
    env: {
      PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
      HOME: join(folder, "home"),
      KUBECONFIG: join(folder, "kubeconfig"),
      EDITOR: "false",
      KUBECTL_EXTERNAL_DIFF: "diff -u -N",
      TZ: "UTC",
    },
  };
}
