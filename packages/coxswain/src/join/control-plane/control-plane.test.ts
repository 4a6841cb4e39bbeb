import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCertificates } from "@coxswain/component/certificates";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decrypt, drawCertificateKey, encrypt, parseCertificateKey } from "./certificate-key.js";
import { factsFromData, factsToData } from "./control-plane-facts.js";
import { planControlPlane } from "./plan-control-plane.js";
import { encryptKeys, writeKeys } from "./shared-keys.js";

const key = parseCertificateKey("00".repeat(31) + "01");

describe("what is encrypted by a certificate key", () => {
  it("is read by the same key, and is another text each time", () => {
    const [one, other] = [
      encrypt(Buffer.from("text"), key, systemRandom),
      encrypt(Buffer.from("text"), key, systemRandom),
    ];
    expect(decrypt(one, key).toString()).toBe("text");
    expect(one.equals(other)).toBe(false);
  });

  it("has kubeadm's form: a nonce of twelve bytes, the text, a tag of sixteen", () => {
    const nonce = Buffer.from([...Array(12).keys()]);
    const encrypted = encrypt(Buffer.from("kubeadm"), key, { bytes: () => nonce });
    expect(encrypted.length).toBe(12 + 7 + 16);
    expect(encrypted.subarray(0, 12)).toEqual(nonce);
  });

  const bad = [
    { name: "another key", text: (one: Buffer) => one, with: parseCertificateKey("11".repeat(32)) },
    {
      name: "a changed text",
      text: (one: Buffer) => Buffer.concat([one.subarray(0, 14), Buffer.from([255]), one.subarray(15)]),
      with: key,
    },
    { name: "a text that is too short", text: () => Buffer.from("short"), with: key },
  ];
  for (const row of bad)
    it(`with ${row.name} is refused`, () =>
      expect(() => decrypt(row.text(encrypt(Buffer.from("text"), key, systemRandom)), row.with)).toThrow(
        "--certificate-key",
      ));

  it("needs 64 digits", () => {
    expect(() => parseCertificateKey("abc")).toThrow("64 hexadecimal digits");
    expect(parseCertificateKey(drawCertificateKey(systemRandom))).toHaveLength(32);
  });
});

describe("the keys of a control plane", () => {
  let folder: string;
  const first = (): string => join(folder, "first");
  const second = (): string => join(folder, "second");
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "control-plane-"));
    mkdirSync(first());
    ensureCertificates(first(), { clock: systemClock, random: systemRandom, hostName: "here" });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const upload = (etcd = {}) =>
    encryptKeys(
      { pki: join(first(), "pki"), etcd: { ca: undefined, certificate: undefined, key: undefined, ...etcd } },
      { key, random: systemRandom },
    );

  it("come to another machine as they are, keys for their owner alone, and nothing of the first machine's own", () => {
    const data = upload();
    expect(Object.keys(data).sort()).toEqual([
      "ca.crt",
      "ca.key",
      "external-etcd-ca.crt",
      "external-etcd.crt",
      "external-etcd.key",
      "front-proxy-ca.crt",
      "front-proxy-ca.key",
      "sa.key",
      "sa.pub",
    ]);
    expect(writeKeys({ data }, second(), key)).toEqual({ hasEtcd: false });
    for (const name of ["ca.crt", "ca.key", "front-proxy-ca.key", "sa.key", "sa.pub"])
      expect(readFileSync(join(second(), "pki", name), "utf8")).toBe(readFileSync(join(first(), "pki", name), "utf8"));
    expect(statSync(join(second(), "pki/ca.key")).mode & 0o777).toBe(0o600);
  });

  it("are not readable in the Secret", () => {
    const text = Buffer.from(upload()["ca.key"] ?? "", "base64").toString("latin1");
    expect(text).not.toContain("PRIVATE KEY");
  });

  it("have a client of etcd with them where there is one", () => {
    const ca = join(folder, "etcd-ca.crt");
    writeFileSync(ca, "CA of etcd");
    expect(writeKeys({ data: upload({ ca }) }, second(), key)).toEqual({ hasEtcd: true });
    expect(readFileSync(join(second(), "pki/etcd/ca.crt"), "utf8")).toBe("CA of etcd");
  });

  it("leave nothing behind where the key is another one", () => {
    const other = parseCertificateKey("22".repeat(32));
    expect(() => writeKeys({ data: upload() }, second(), other)).toThrow("--certificate-key");
    expect(existsSync(second())).toBe(false);
  });

  it("are looked for where an API server has them", () =>
    expect(() =>
      encryptKeys(
        { pki: folder, etcd: { ca: undefined, certificate: undefined, key: undefined } },
        { key, random: systemRandom },
      ),
    ).toThrow("lacks ca.crt"));
});

describe("the processes of a machine of the control plane", () => {
  const facts = { etcdServers: "https://192.0.2.1:2379", serviceNetwork: undefined, podNetwork: "10.244.0.0/16" };
  const machine = {
    dataDir: "/d",
    server: "https://lb.example:6443",
    address: "192.0.2.7",
    port: 6444,
    facts,
    hasEtcdClient: true,
  };
  const flagsOf = (name: string, more: Partial<typeof machine> = {}): string =>
    (planControlPlane({ ...machine, ...more }).find((one) => one.name === name)?.args ?? []).join(" ");

  const rows = [
    {
      name: "the API server's certificate names the load balancer",
      of: "apiserver",
      has: "--external-hostname=lb.example",
    },
    {
      name: "the API server shows etcd its certificate",
      of: "apiserver",
      has: "--etcd-certfile=/d/pki/etcd/client.crt",
    },
    { name: "machines can join through it, too", of: "apiserver", has: "--enable-bootstrap-token-auth" },
    {
      name: "controllers sign tokens of joining machines",
      of: "controller-manager",
      has: "bootstrap-signer-controller",
    },
    {
      name: "controllers give nodes networks",
      of: "controller-manager",
      has: "--allocate-node-cidrs --cluster-cidr=10.244.0.0/16",
    },
    { name: "the scheduler goes by its own name", of: "scheduler", has: "--kubeconfig=/d/kube-scheduler.kubeconfig" },
  ];
  for (const { name, of, has } of rows) it(name, () => expect(flagsOf(of)).toContain(has));

  it("show etcd nothing where it asks for nothing", () =>
    expect(flagsOf("apiserver", { hasEtcdClient: false })).not.toContain("--etcd-ca"));

  it("know the facts of the cluster from its ConfigMap", () => {
    expect(factsFromData(factsToData(facts))).toEqual(facts);
    expect(factsFromData({})).toBeUndefined();
  });
});
