import { describe, expect, it } from "vitest";
import { setAppArmorFields } from "./app-armor.js";
import type { StoredPod } from "./stored.js";

const key = "container.apparmor.security.beta.kubernetes.io/c";
const deprecated = [`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`];

describe("AppArmor by annotation", () => {
  const cases = [
    {
      name: "becomes the field",
      annotation: "runtime/default",
      profile: { type: "RuntimeDefault" },
      warnings: deprecated,
    },
    {
      name: "of a profile on the node too",
      annotation: "localhost/a",
      profile: { type: "Localhost", localhostProfile: "a" },
      warnings: deprecated,
    },
    {
      name: "equal to the pod's profile changes nothing",
      annotation: "unconfined",
      ofPod: { type: "Unconfined" },
      profile: undefined,
      warnings: [],
    },
    { name: "that cannot be a field only warns", annotation: "localhost/ a", profile: undefined, warnings: deprecated },
    {
      name: "beside the field changes nothing",
      annotation: "unconfined",
      own: { type: "RuntimeDefault" },
      profile: { type: "RuntimeDefault" },
      warnings: [],
    },
    { name: "means nothing on Windows", annotation: "unconfined", os: "windows", profile: undefined, warnings: [] },
  ];
  for (const { name, annotation, ofPod, own, os, profile, warnings } of cases) {
    it(name, () => {
      const containers = [{ name: "c", ...(own && { securityContext: { appArmorProfile: own } }) }];
      const spec = {
        containers,
        ...(ofPod && { securityContext: { appArmorProfile: ofPod } }),
        ...(os && { os: { name: os } }),
      };
      const pod = { metadata: { annotations: { [key]: annotation } }, spec, status: {} } as unknown as StoredPod;
      const messages: string[] = [];
      setAppArmorFields(pod, (text) => void messages.push(text));
      expect(pod.spec.containers[0]?.securityContext?.appArmorProfile).toEqual(profile);
      expect(messages).toEqual(warnings);
    });
  }
});
