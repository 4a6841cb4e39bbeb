import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { formatKubeconfig, writeKubeconfig } from "./index.js";

const options = {
  server: "https://127.0.0.1:6443",
  certificateAuthority: "CA",
  clientCertificate: "CERT",
  clientKey: "KEY",
};

it("reads as kubectl expects", () => {
  expect(formatKubeconfig(options)).toBe(`apiVersion: v1
kind: Config
clusters:
- name: coxswain
  cluster:
    certificate-authority-data: Q0E=
    server: https://127.0.0.1:6443
contexts:
- name: coxswain
  context:
    cluster: coxswain
    user: coxswain-admin
current-context: coxswain
preferences: {}
users:
- name: coxswain-admin
  user:
    client-certificate-data: Q0VSVA==
    client-key-data: S0VZ
`);
});

const scalars = [
  { text: "https://[::1]:6443", written: '"https://[::1]:6443"' },
  { text: "yes", written: '"yes"' },
  { text: 'a: "b" # c', written: '"a: \\"b\\" # c"' },
  { text: "https://a.example/k8s", written: "https://a.example/k8s" },
];
for (const { text, written } of scalars)
  it(`writes ${text} safely`, () =>
    expect(formatKubeconfig({ ...options, server: text })).toContain(`server: ${written}\n`));

it("replaces the file whole, for its owner alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
  const path = join(folder, "deep", "config");
  writeKubeconfig(path, options);
  writeFileSync(path, "old", { mode: 0o644 });
  writeKubeconfig(path, options);
  expect(readFileSync(path, "utf8")).toBe(formatKubeconfig(options));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "deep"))).toEqual(["config"]);
  rmSync(folder, { recursive: true });
});
