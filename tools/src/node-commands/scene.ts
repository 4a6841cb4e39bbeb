/** Of all containers; `prepare nodes` makes it. */
export const image = "registry.k8s.io/e2e-test-images/busybox:1.37.0-1";

const container = (name: string, script: string, more: object = {}): object => ({
  name,
  image,
  imagePullPolicy: "IfNotPresent",
  command: ["sh", "-c", script],
  ...more,
});
const pod = (name: string, containers: readonly object[], spec: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { restartPolicy: "Never", terminationGracePeriodSeconds: 1, containers, ...spec },
});

/** The pods that commands are typed about. */
export const scenePods: readonly object[] = [
  pod("web", [
    container(
      "main",
      "mkdir /www; echo a page > /www/index.html; head -c 1000000 /dev/zero > /www/big; echo ready; exec httpd -f -p 8080 -h /www",
    ),
    container("other", "echo another; exec sleep 100000", { env: [{ name: "WHO", value: "the other one" }] }),
  ]),
  pod("done", [container("main", "for i in 1 2 3 4 5; do echo line $i; done")]),
  pod("mixed", [container("main", "echo to output; echo to errors >&2")]),
  pod("long", [container("main", "head -c 50000 /dev/zero | tr '\\0' x; echo")]),
  pod("slow", [container("main", "for i in 1 2 3 4 5 6 7 8; do echo part $i; sleep 2; done")]),
  // It ends once only: of a container that ends again and again, the run before may be removed while its log is asked for.
  pod(
    "crash",
    [
      container("main", "[ -e /state/ran ] && exec sleep 100000; touch /state/ran; echo ran; exit 3", {
        volumeMounts: [{ name: "state", mountPath: "/state" }],
      }),
    ],
    { restartPolicy: "Always", volumes: [{ name: "state", emptyDir: {} }] },
  ),
  pod("reader", [container("main", "read line; sleep 1; echo got $line", { stdin: true, stdinOnce: true })]),
  pod("unpulled", [container("main", "true", { image: "registry.k8s.io/no-such-image:1" })]),
];

/** Of them, those that must have come that far before the first command. */
export const awaited: Readonly<Record<string, string>> = {
  web: "Running",
  done: "Succeeded",
  mixed: "Succeeded",
  long: "Succeeded",
  reader: "Running",
};
