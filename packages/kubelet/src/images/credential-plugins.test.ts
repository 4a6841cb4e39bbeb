import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@coxswain/client";
import { testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pod } from "../pod/pod.test.support.js";
import { openCredentialPlugins } from "./credential-plugins.js";
import type { PullCredentials } from "./pull-credential.js";

const version = "credentialprovider.kubelet.k8s.io/v1";
let directory: string;
const clock = createVirtualClock({ startMs: 0 });
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "providers-"));
  await mkdir(join(directory, "bin"));
});
afterEach(() => rm(directory, { recursive: true }));

/** A provider that appends each request to a file and answers with what the test wrote. */
async function provide(answer: object, config: object = {}): Promise<void> {
  const program = join(directory, "bin", "provider");
  await writeFile(
    program,
    `#!${process.execPath}
const fs = require("node:fs");
fs.appendFileSync(${JSON.stringify(join(directory, "asked"))}, fs.readFileSync(0, "utf8") + "\\n");
process.stdout.write(JSON.stringify(${JSON.stringify({ kind: "CredentialProviderResponse", apiVersion: version, ...answer })}));
`,
  );
  await chmod(program, 0o755);
  await writeFile(
    join(directory, "config.json"),
    JSON.stringify({
      apiVersion: "kubelet.config.k8s.io/v1",
      kind: "CredentialProviderConfig",
      providers: [
        {
          name: "provider",
          matchImages: ["*.example.com"],
          defaultCacheDuration: "1m",
          apiVersion: version,
          ...config,
        },
      ],
    }),
  );
}

/** Only what a provider's service accounts need. */
const client = {
  core: {
    v1: {
      serviceaccounts: () => ({
        get: async (name: string) => ({ metadata: { name, uid: `uid-${name}`, annotations: { role: name } } }),
        subresource: () => ({ create: async (name: string) => ({ status: { token: `token-of-${name}` } }) }),
      }),
    },
  },
} as unknown as Client;
const open = (): Promise<PullCredentials> =>
  openCredentialPlugins(
    { configPath: join(directory, "config.json"), directory: join(directory, "bin") },
    { client, runtime: testRuntime(1, { clock }) },
  );
const asked = async (): Promise<Record<string, unknown>[]> =>
  (await readFile(join(directory, "asked"), "utf8").catch(() => ""))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const auth = { "a.example.com": { username: "u", password: "p" } };

describe("programs that know credentials of registries", () => {
  const cases = [
    { type: "Image", images: ["a.example.com/x:1", "a.example.com/x:2", "a.example.com/y"], runs: 2 },
    { type: "Registry", images: ["a.example.com/x", "a.example.com/y", "b.example.com/x"], runs: 2 },
    { type: "Global", images: ["a.example.com/x", "b.example.com/y"], runs: 1 },
  ];
  for (const { type, images, runs } of cases)
    it(`answers are kept by ${type}, for as long as they are good`, async () => {
      await provide({ cacheKeyType: type, cacheDuration: "30s", auth });
      const credentials = await open();
      for (const image of images) await credentials(pod(), image);
      expect(await asked()).toHaveLength(runs);
      expect(await credentials(pod(), "a.example.com/x:1")).toEqual([{ auth: { username: "u", password: "p" } }]);
      expect(await asked()).toHaveLength(runs);
      await clock.advance(31_000);
      await credentials(pod(), "a.example.com/x:1");
      expect(await asked()).toHaveLength(runs + 1);
    });

  it("the request names the image without its tag; other images are not asked about", async () => {
    await provide({ cacheKeyType: "Image", auth });
    const credentials = await open();
    expect(await credentials(pod(), "busybox")).toEqual([]);
    await credentials(pod(), "a.example.com/team/x:1");
    expect(await asked()).toEqual([
      { kind: "CredentialProviderRequest", apiVersion: version, image: "a.example.com/team/x" },
    ]);
  });

  it("no duration: every pull asks; pulls at the same time ask once", async () => {
    await provide({ cacheKeyType: "Image", cacheDuration: "0s", auth });
    const credentials = await open();
    await Promise.all([1, 2, 3].map(() => credentials(pod(), "a.example.com/x")));
    expect(await asked()).toHaveLength(1);
    await credentials(pod(), "a.example.com/x");
    expect(await asked()).toHaveLength(2);
  });

  it("with tokens: the pod's service account is shown, and each has answers of its own", async () => {
    const tokenAttributes = {
      serviceAccountTokenAudience: "registry",
      cacheType: "ServiceAccount",
      requireServiceAccount: true,
      requiredServiceAccountAnnotationKeys: ["role"],
    };
    await provide({ cacheKeyType: "Global", auth }, { tokenAttributes });
    const credentials = await open();
    const [found] = await credentials(pod({ serviceAccountName: "one" }), "a.example.com/x");
    expect(found?.serviceAccount).toEqual({ uid: "uid-one", namespace: "default", name: "one" });
    await credentials(pod({ serviceAccountName: "one" }), "a.example.com/y");
    await credentials(pod({ serviceAccountName: "two" }), "a.example.com/x");
    expect(await credentials(pod(), "a.example.com/x")).toEqual([]);
    expect((await asked()).map((each) => [each["serviceAccountToken"], each["serviceAccountAnnotations"]])).toEqual([
      ["token-of-one", { role: "one" }],
      ["token-of-two", { role: "two" }],
    ]);
  });

  const failures = [
    {
      name: "a token that comes back as the password",
      answer: { cacheKeyType: "Global", auth: { "a.example.com": { username: "u", password: "token-of-one" } } },
    },
    { name: "an answer of another version", answer: { apiVersion: "v2", cacheKeyType: "Global", auth } },
    { name: "an answer without a type of key", answer: { auth } },
    { name: "another kind", answer: { kind: "Secret", cacheKeyType: "Global", auth } },
  ];
  for (const { name, answer } of failures)
    it(`${name} gives no credentials`, async () => {
      const tokenAttributes = {
        serviceAccountTokenAudience: "r",
        cacheType: "ServiceAccount",
        requireServiceAccount: false,
      };
      await provide(answer, { tokenAttributes });
      expect(await (await open())(pod({ serviceAccountName: "one" }), "a.example.com/x")).toEqual([]);
    });

  const refusals: { name: string; config: object; problem: string }[] = [
    { name: "no images", config: { matchImages: [] }, problem: "at least 1 item in matchImages is required" },
    {
      name: "no duration",
      config: { defaultCacheDuration: undefined },
      problem: "defaultCacheDuration: Required value",
    },
    { name: "a version that there is not", config: { apiVersion: "v9" }, problem: 'Unsupported value: "v9"' },
    { name: "a path as a name", config: { name: "../provider" }, problem: "provider name cannot contain '/'" },
    { name: "a program that is not there", config: { name: "other" }, problem: "plugin binary executable" },
    { name: "an unknown member", config: { extra: 1 }, problem: 'unknown field "providers[0].extra"' },
  ];
  for (const { name, config, problem } of refusals)
    it(`a configuration with ${name} is refused`, async () => {
      await provide({}, config);
      await expect(open()).rejects.toThrow(problem);
    });
});
