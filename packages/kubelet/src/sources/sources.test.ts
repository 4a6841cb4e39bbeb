import { afterEach, describe, expect, it } from "vitest";
import { container, startTestNodes, type TestNodes } from "../test-nodes.test.support.js";

let cluster: TestNodes | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

describe("what pods take from other objects", () => {
  it("a pod waits for a config map that its volume needs", async () => {
    cluster = await startTestNodes();
    const { client } = cluster;
    const script =
      "cat /config/greeting; cat /secret/word; cat /info/name; echo $(cat /config/greeting) > /dev/termination-log";
    await cluster.createPod("reader", {
      restartPolicy: "Never",
      volumes: [
        { name: "config", configMap: { name: "settings" } },
        { name: "secret", secret: { secretName: "hidden", items: [{ key: "k", path: "word" }] } },
        { name: "info", downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
      ],
      containers: [
        container({
          command: ["sh", "-c", script],
          volumeMounts: [
            { name: "config", mountPath: "/config" },
            { name: "secret", mountPath: "/secret" },
            { name: "info", mountPath: "/info" },
          ],
        }),
      ],
    });
    await cluster.settle();
    expect((await cluster.pod("reader")).status).toMatchObject({
      phase: "Pending",
      containerStatuses: [{ state: { waiting: { reason: "ContainerCreating" } } }],
    });
    expect(await cluster.events("reader")).toEqual(["FailedMount", "FailedMount"]);
    await client.core.v1
      .configmaps("default")
      .create({ metadata: { name: "settings" }, data: { greeting: "hello\n" } });
    await client.core.v1.secrets("default").create({ metadata: { name: "hidden" }, data: { k: "d29ybGQ=" } });
    await cluster.advance(3000);
    const { status } = await cluster.pod("reader");
    expect(status?.phase).toBe("Succeeded");
    expect(status?.containerStatuses?.[0]?.state?.terminated?.message).toBe("hello\n");
  });

  it("a variable from a missing key is a configuration error until it is there", async () => {
    cluster = await startTestNodes();
    const { client } = cluster;
    await client.core.v1.configmaps("default").create({ metadata: { name: "settings" }, data: { a: "1" } });
    await cluster.createPod("web", {
      containers: [
        container({
          env: [{ name: "B", valueFrom: { configMapKeyRef: { name: "settings", key: "b" } } }],
        }),
      ],
    });
    await cluster.settle();
    const waiting = (await cluster.pod("web")).status?.containerStatuses?.[0]?.state?.waiting;
    expect(waiting).toEqual({
      reason: "CreateContainerConfigError",
      message: "couldn't find key b in ConfigMap default/settings",
    });
    await client.core.v1.configmaps("default").patch("settings", { merge: { data: { b: "2" } } });
    await cluster.advance(70_000);
    expect((await cluster.pod("web")).status?.phase).toBe("Running");
  });

  it("variables come from the pod, its resources and each other", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("shell", {
      restartPolicy: "Never",
      containers: [
        container({
          command: ["sh", "-c", "echo $POD $CPU $GREETING $(DIRECT) > /dev/termination-log"],
          resources: { limits: { cpu: "1500m" } },
          env: [
            { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
            { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
            { name: "GREETING", value: "hi-$(POD)-$$" },
            { name: "DIRECT", value: "d" },
          ],
        }),
      ],
    });
    await cluster.settle();
    const { status } = await cluster.pod("shell");
    expect(status?.containerStatuses?.[0]?.state?.terminated?.message).toBe("shell 2 hi-shell-$ d\n");
  });
});
