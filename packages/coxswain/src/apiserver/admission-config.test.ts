import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAdmissionConfigFile } from "./admission-config.js";

describe("the admission configuration file", () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "coxswain-admission-"))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it("names files beside it", () => {
    mkdirSync(join(folder, "more"));
    write("more/quota.yaml", "kind: Q\n");
    const found = readAdmissionConfigFile(
      write(
        "a.yaml",
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: ResourceQuota\n  path: more/quota.yaml\n- name: PodSecurity\n  configuration: {kind: P}\n",
      ),
    );
    expect([...found].map(([name, { document }]) => [name, document])).toEqual([
      ["ResourceQuota", { kind: "Q" }],
      ["PodSecurity", { kind: "P" }],
    ]);
  });

  it("may be of the time before versions", () => {
    const found = readAdmissionConfigFile(write("b.yaml", "podNodeSelectorPluginConfig: {team: a=b}\n"));
    expect(found.get("PodNodeSelector")?.document).toEqual({ podNodeSelectorPluginConfig: { team: "a=b" } });
  });

  const wrong = [
    {
      name: "another kind",
      text: "apiVersion: v1\nkind: Pod\n",
      message: /expected an AdmissionConfiguration of .*, not Pod of v1$/,
    },
    {
      name: "a member that is none",
      text: "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugin: []\n",
      message: /unknown field "plugin"$/,
    },
  ];
  for (const { name, text, message } of wrong)
    it(`refuses ${name}`, () => expect(() => readAdmissionConfigFile(write("c.yaml", text))).toThrow(message));

  it("must be there", () =>
    expect(() => readAdmissionConfigFile(join(folder, "none.yaml"))).toThrow(
      /^unable to read admission control configuration from /,
    ));
});
