import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setUser } from "../../kubeconfig/index.js";
import { inClusterConfig, loadConfig, loadKubeconfig, loadKubeconfigText, updateKubeconfig } from "../index.js";

let folder: string;
const write = (name: string, text: string): string => {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-kubeconfig-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const clusters = "clusters: [{ name: c, cluster: { server: 'https://c', certificate-authority: ca.pem } }]\n";
const context = "contexts: [{ name: x, context: { cluster: c, user: u } }]\ncurrent-context: x\n";

describe("loading kubeconfigs", () => {
  it("KUBECONFIG lists files; each path is relative to its own file, missing files are passed over", () => {
    const first = write("one/config", `${context}users: [{ name: u, user: { tokenFile: token } }]\n`);
    const second = write("two/config", clusters);
    const KUBECONFIG = [first, join(folder, "missing"), "", second, first].join(delimiter);
    expect(loadKubeconfig({ environment: { KUBECONFIG } })).toEqual({
      server: "https://c",
      namespace: "default",
      certificateAuthority: { file: join(folder, "two/ca.pem") },
      tokenFile: join(folder, "one/token"),
    });
  });
  it("without KUBECONFIG it is the one in the home directory", () => {
    write("home/.kube/config", `${clusters}${context}users: [{ name: u, user: { token: t } }]\n`);
    expect(loadKubeconfig({ environment: { HOME: join(folder, "home") } }).token).toBe("t");
  });
  it("a file that was named must be there", () =>
    expect(() => loadKubeconfig({ path: join(folder, "missing") })).toThrow(/missing: it cannot be read/));
  it("a broken file among several is named", () => {
    const bad = write("bad", "clusters: 7");
    expect(() => loadKubeconfig({ environment: { KUBECONFIG: bad } })).toThrow(`${bad}, clusters: must be a list`);
  });
  it("may come from elsewhere than a file", () =>
    expect(loadKubeconfigText(`${clusters}${context}users: [{ name: u, user: { token: t } }]`).token).toBe("t"));

  const pod = (): { environment: Record<string, string>; folder: string } => {
    write("pod/token", "token\n");
    write("pod/ca.crt", "CA");
    write("pod/namespace", "team\n");
    return {
      environment: { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" },
      folder: join(folder, "pod"),
    };
  };
  it("a pod finds its cluster by environment and mounted files", () =>
    expect(inClusterConfig(pod())).toEqual({
      server: "https://[fd00::1]:443",
      tokenFile: join(folder, "pod/token"),
      certificateAuthority: { file: join(folder, "pod/ca.crt") },
      namespace: "team",
    }));
  it("outside of a cluster there is no such configuration", () =>
    expect(inClusterConfig({ ...pod(), environment: {} })).toBeUndefined());
  it("without any configuration the error names where it was looked for", () =>
    expect(() => loadConfig({ environment: { HOME: join(folder, "nobody") } })).toThrow(
      `${join(folder, "nobody/.kube/config")}: it is missing or has no clusters`,
    ));
});

describe("updating a kubeconfig", () => {
  it("replaces the file, keeps its mode and leaves no lock", async () => {
    const path = write("update/config", "users: []\nodd: 1\n");
    await Promise.all(
      ["a", "b", "c"].map((name) => updateKubeconfig(path, (config) => setUser(config, name, { token: name }))),
    );
    const text = readFileSync(path, "utf8");
    for (const name of ["a", "b", "c"]) expect(text).toContain(`token: ${name}`);
    expect(text).toContain("odd: 1");
    expect(() => statSync(`${path}.lock`)).toThrow("ENOENT");
  });
  it("creates it for its owner alone", async () => {
    const path = join(folder, "new/.kube/config");
    await updateKubeconfig(path, (config) => setUser(config, "me", { token: "t" }));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
