import type { Pod } from "@coxswain/api/core/v1";
import { createMetrics } from "@coxswain/component/metrics";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { selinuxWarningController } from "./controller.js";
import { countConflicts } from "./metrics.js";
import { conflictMessage, conflictsOf, doLabelsConflict, labelOf, labelsByVolume, useOf } from "./plan.js";
import { sharedByPodVolume, sharedByVolume } from "./shared-volume.js";
import { createVolumeUsers } from "./volume-users.js";

describe("whether labels conflict", () => {
  const rows: [a: string, b: string, conflict: boolean][] = [
    ["", "", false],
    ["system_u:system_r:container_t:s0:c1,c2", "system_u:system_r:container_t:s0:c1,c2", false],
    ["system_u:system_r:container_t:s0:c1,c2", ":::s0:c1,c2", false],
    ["system_u:system_r:container_t:s0:c1,c2", ":::s0:c98,c99", true],
    [":::s0:c1,c2", "", true],
    ["", "system_u:system_r:container_t", false],
    ["", "system_u:system_r:container_t:s0:c1,c2", true],
    [":::", "system_u:system_r:container_t", false],
    ["system_u:system_r:container_t:", "system_u:system_r", false],
    ["system_u:system_r:conflict_t:", "system_u:system_r:container_t", true],
    ["system_u::container_t", ":system_r::", false],
    ["system_u::type_a:s0:c1", "system_u::type_b:s0:c1", true],
    ["system_u::type_a:s0:c1", ":role_r:type_a:s0:c1", false],
  ];
  for (const [a, b, conflict] of rows)
    it(`${JSON.stringify(a)} and ${JSON.stringify(b)}: ${conflict}`, () => {
      expect(doLabelsConflict(a, b)).toBe(conflict);
      expect(doLabelsConflict(b, a)).toBe(conflict);
    });
});

const level = (text: string) => ({ seLinuxOptions: { level: text } });
const mounts = [{ name: "v", mountPath: "/v" }];

it("a label has as much as the options contain", () => {
  const rows: [options: Parameters<typeof labelOf>[0], label: string][] = [
    [{}, ""],
    [{ level: "s0:c0,c1" }, ":::s0:c0,c1"],
    [{ type: "container_t", level: "s0:c0,c1" }, "::container_t:s0:c0,c1"],
    [
      { user: "system_u", role: "system_r", type: "container_t", level: "s0:c0,c1" },
      "system_u:system_r:container_t:s0:c0,c1",
    ],
  ];
  for (const [options, label] of rows) expect(labelOf(options)).toBe(label);
});

describe("how a pod uses a volume", () => {
  it("with its own label, or that of the container", () => {
    const spec = {
      securityContext: level("s0:c1"),
      containers: [
        { name: "a", volumeMounts: mounts },
        { name: "b", volumeMounts: mounts, securityContext: level("s0:c2") },
      ],
    };
    expect(labelsByVolume({ spec })).toEqual(new Map([["v", new Set([":::s0:c1", ":::s0:c2"])]]));
  });
  it("with none where nobody asks for one", () =>
    expect(labelsByVolume({ spec: { containers: [{ name: "a", volumeMounts: mounts }] } })).toEqual(
      new Map([["v", new Set()]]),
    ));
  const rows: { name: string; policy?: "Recursive" | "MountOption"; label?: string; can: boolean; use: object }[] = [
    { name: "by a mount option", label: "l", can: true, use: { label: "l", changePolicy: "MountOption" } },
    {
      name: "recursively where the volume cannot",
      label: "l",
      can: false,
      use: { label: "", changePolicy: "Recursive" },
    },
    {
      name: "recursively where it asks for that",
      policy: "Recursive",
      label: "l",
      can: true,
      use: { label: "", changePolicy: "Recursive" },
    },
    { name: "recursively without a label", can: true, use: { label: "", changePolicy: "Recursive" } },
  ];
  for (const { name, policy, label, can, use } of rows)
    it(name, () => {
      const pod = { spec: { containers: [], securityContext: { ...(policy && { seLinuxChangePolicy: policy }) } } };
      expect(useOf(pod, label, can)).toEqual(use);
    });
});

describe("the events of pods with the same volume", () => {
  const use = (label: string) => ({ label, changePolicy: "MountOption" as const });
  const events = (a: string, b: string) =>
    conflictsOf({ pod: a, use: use(":::s0:c1") }, { pod: b, use: use(":::s0:c2") }).map(
      (conflict) => `${conflict.pod}: ${conflictMessage(conflict)}`,
    );
  it("both, with the other's name in their own namespace", () =>
    expect(events("n/a", "n/b")).toEqual([
      'n/a: SELinuxLabel ":::s0:c1" conflicts with pod b that uses the same volume as this pod with SELinuxLabel ":::s0:c2". If both pods land on the same node, only one of them may access the volume.',
      'n/b: SELinuxLabel ":::s0:c2" conflicts with pod a that uses the same volume as this pod with SELinuxLabel ":::s0:c1". If both pods land on the same node, only one of them may access the volume.',
    ]));
  it("without names across namespaces", () =>
    expect(events("n/a", "m/b")[0]).toBe(
      'n/a: SELinuxLabel":::s0:c1" conflicts with another pod that uses the same volume as this pod with a different SELinuxLabel. If both pods land on the same node, only one of them may access the volume.',
    ));
  it("only of the policy where the labels have no level", () => {
    const users = createVolumeUsers();
    const volume = { name: "v", csiDriver: "d" };
    users.use(volume, "n/a", use("system_u:system_r:label1"));
    expect(users.use(volume, "n/b", { label: "", changePolicy: "Recursive" }).map(({ property }) => property)).toEqual([
      "SELinuxChangePolicy",
      "SELinuxChangePolicy",
    ]);
  });
  it("nothing by a pod that alone uses its volume and changes how, all others by one that does not", () => {
    const users = createVolumeUsers();
    const [one, two] = [
      { name: "one", csiDriver: "d" },
      { name: "two", csiDriver: "d" },
    ];
    users.use(one, "n/a", use(":::s0:c1"));
    expect(users.use(one, "n/a", { label: "", changePolicy: "Recursive" })).toEqual([]);
    for (const pod of ["n/a", "n/b"]) users.use(two, pod, { label: "", changePolicy: "Recursive" });
    expect(users.use(two, "n/b", use("::label")).map(({ pod }) => pod)).toEqual(["n/b", "n/a"]);
    users.forget("n/a");
    users.forget("n/a");
    expect(users.podsOfDriver("d")).toEqual(["n/b"]);
  });
  it("once, and not any more when the other one is gone", () => {
    const users = createVolumeUsers();
    const volume = { name: "v", csiDriver: "d" };
    expect(users.use(volume, "n/a", use(":::s0:c1"))).toEqual([]);
    expect(users.use(volume, "n/b", { label: "", changePolicy: "Recursive" })).toHaveLength(4);
    expect(users.use(volume, "n/b", { label: "", changePolicy: "Recursive" })).toEqual([]);
    expect(users.podsOfDriver("d")).toEqual(["n/a", "n/b"]);
    users.forget("n/a");
    expect(users.use(volume, "n/b", use(":::s0:c3"))).toEqual([]);
  });
});

describe("the metric of conflicts", () => {
  const name = "selinux_warning_controller_selinux_volume_conflict";
  const use = (label: string) => ({ label, changePolicy: "MountOption" as const });
  const scrape = (users: ReturnType<typeof createVolumeUsers>): string[] => {
    const metrics = createMetrics();
    countConflicts(metrics, users);
    const lines = metrics.text().split("\n");
    return lines.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length));
  };
  const [one, two] = [
    { name: "one", csiDriver: "d" },
    { name: "two", csiDriver: "d" },
  ];

  it("has a series for each of two pods, however many volumes they share", () => {
    const users = createVolumeUsers();
    for (const volume of [one, two]) {
      users.use(volume, "n/a", use(":::s0:c1"));
      users.use(volume, "m/b", use(":::s0:c2"));
    }
    expect(scrape(users)).toEqual([
      '{pod1_name="a",pod1_namespace="n",pod1_value=":::s0:c1",pod2_name="b",pod2_namespace="m",pod2_value=":::s0:c2",property="SELinuxLabel"} 1',
      '{pod1_name="b",pod1_namespace="m",pod1_value=":::s0:c2",pod2_name="a",pod2_namespace="n",pod2_value=":::s0:c1",property="SELinuxLabel"} 1',
    ]);
  });
  it("loses those of a pod that is gone or changed its label", () => {
    const users = createVolumeUsers();
    users.use(one, "n/a", use(":::s0:c1"));
    users.use(one, "n/b", use(":::s0:c2"));
    users.use(one, "n/c", use(":::s0:c1"));
    expect(scrape(users)).toHaveLength(4);
    users.forget("n/c");
    expect(scrape(users)).toHaveLength(2);
    users.use(one, "n/b", use(":::s0:c1"));
    expect(scrape(users)).toEqual([]);
  });
});

it("storage is known by its plugin and address", () => {
  const name = (spec: object) => sharedByVolume({ metadata: { name: "pv" }, spec } as never)?.name;
  expect(name({ csi: { driver: "d", volumeHandle: "h" } })).toBe("kubernetes.io/csi/d^h");
  expect(name({ nfs: { server: "s", path: "/p" } })).toBe("kubernetes.io/nfs/s//p");
  expect(name({ local: { path: "/p" } })).toBe("kubernetes.io/local-volume/pv");
  expect(sharedByPodVolume({ name: "v", hostPath: { path: "/p" } })?.name).toBe("kubernetes.io/host-path//p");
  expect(sharedByPodVolume({ name: "v", emptyDir: {} })).toBeUndefined();
});

describe("the SELinux warning controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("warns both pods, once their driver mounts with labels", async () => {
    cluster = await startTestCluster({ controllers: [{ ...selinuxWarningController, isOnByDefault: true }] });
    const { client } = cluster;
    const claim = await client.core.v1.persistentvolumeclaims("default").create({
      metadata: { name: "c" },
      spec: {
        accessModes: ["ReadWriteMany"],
        volumeName: "pv",
        storageClassName: "",
        resources: { requests: { storage: "1Gi" } },
      },
    });
    await client.core.v1.persistentvolumes().create({
      metadata: { name: "pv" },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteMany"],
        csi: { driver: "example.com", volumeHandle: "h" },
        claimRef: { namespace: "default", name: "c", uid: claim.metadata?.uid ?? "" },
      },
    });
    const pod = (name: string, category: string): Pod => ({
      metadata: { name },
      spec: {
        securityContext: level(`s0:${category}`),
        containers: [{ name: "c", image: "i", volumeMounts: mounts }],
        volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
      },
    });
    for (const [name, category] of [
      ["a", "c1"],
      ["b", "c2"],
    ] as const)
      await client.core.v1.pods("default").create(pod(name, category));
    const events = async () =>
      (await client.core.v1.events("default").list()).items
        .map(({ involvedObject, reason }) => `${involvedObject.name} ${reason}`)
        .sort();
    await cluster.settle();
    expect(await events()).toEqual([]);
    await client.storage.v1.csidrivers().create({ metadata: { name: "example.com" }, spec: { seLinuxMount: true } });
    await cluster.settle();
    expect(await events()).toEqual(expect.arrayContaining(["a SELinuxLabelConflict", "b SELinuxLabelConflict"]));
  });
});
