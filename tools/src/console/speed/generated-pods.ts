/** Columns of pods as kube-apiserver has them. */
export const columnDefinitions = [
  ["Name", "string", "name", 0],
  ["Ready", "string", "", 0],
  ["Status", "string", "", 0],
  ["Restarts", "string", "", 0],
  ["Age", "string", "", 0],
  ["IP", "string", "", 1],
  ["Node", "string", "", 1],
  ["Nominated Node", "string", "", 1],
  ["Readiness Gates", "string", "", 1],
].map(([name, type, format, priority]) => ({ name, type, format, description: "", priority }));

const statuses = ["Running", "Running", "Running", "Running", "Pending", "CrashLoopBackOff", "Completed", "Error"];
const namespaces = 50;
const nodes = 500;

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");

/** The row of a pod; what changes of it changes with the revision. */
export function podRow(index: number, revision: number): string {
  const set = hex((index * 2654435761) % 2 ** 32, 8);
  const name = `web-${Math.floor(index / 100)}-${set}-${hex(index, 5)}`;
  const status = statuses[(index + revision) % statuses.length] ?? "";
  const isReady = status === "Running";
  const uid = `00000000-0000-4000-8000-${hex(index, 12)}`;
  const created = new Date(1_790_000_000_000 - index * 60_000).toISOString().replace(".000", "");
  const address = `10.${Math.floor(index / 65_536)}.${Math.floor(index / 256) % 256}.${index % 256}`;
  const cells = [
    name,
    isReady ? "1/1" : "0/1",
    status,
    String(revision % 7),
    "3d",
    address,
    `node-${index % nodes}`,
    "<none>",
    "<none>",
  ];
  const metadata = {
    name,
    namespace: `shop-${index % namespaces}`,
    uid,
    resourceVersion: String(revision),
    creationTimestamp: created,
    labels: {
      app: `web-${Math.floor(index / 100)}`,
      tier: index % 3 === 0 ? "front" : "back",
      "pod-template-hash": set,
    },
    ownerReferences: [
      {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        name: `web-${Math.floor(index / 100)}-${set}`,
        uid,
        controller: true,
      },
    ],
  };
  return JSON.stringify({ cells, object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata } });
}

/** A change of a pod, as a watch of Tables has it. */
export const podEvent = (index: number, revision: number): string =>
  `{"type":"MODIFIED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"${revision}"},"columnDefinitions":null,"rows":[${podRow(index, revision)}]}}\n`;
