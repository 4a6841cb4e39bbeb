import { readFileSync } from "node:fs";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { findDifferences, formatDifference, playCase, readCases, readRecording } from "@coxswain/tools/record";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";
import { readAdmissionConfiguration } from "./configuration/admission-configuration.js";

const folder = new URL("../../testdata/switched-admission/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

const enabled = [
  "AlwaysAdmit",
  "AlwaysPullImages",
  "DenyServiceExternalIPs",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "LimitPodHardAntiAffinityTopology",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "OwnerReferencesPermissionEnforcement",
  "PodNodeSelector",
  "PodTolerationRestriction",
];

/** What kube-apiserver answered with `--enable-admission-plugins` of these and `--admission-control-config-file` admission.yaml. */
describe("plugins that are off by default, and configured ones", () => {
  let server: ApiServer;
  beforeAll(async () => {
    const configuration = readAdmissionConfiguration(read("admission.yaml"), read);
    // Time stands still, so that the rate of events does not depend on how fast the test is.
    const clock = { ...systemClock, monotonic: () => 0 };
    server = await startApiServer({
      runtime: systemRuntime({ clock }),
      store: createMemoryStore({ runtime: systemRuntime() }),
      admission: { enabled, disabled: ["ServiceAccount"], configuration },
    });
  });
  afterAll(() => server.stop());

  for (const { path, case: played } of readCases(folder)) {
    it(`answer as recorded: ${played.name}`, async () => {
      const answers = await playCase(
        played,
        createByteRequester(server, { name: "kubernetes-admin", groups: ["system:masters"] }),
      );
      expect(findDifferences(readRecording(path)?.answers ?? [], answers).map(formatDifference)).toEqual([]);
    });
  }
});
