import {
  type CoxswainProcess,
  findKubectl,
  kubectlMinors,
  removeDataDir,
  runProgram,
  startCoxswain,
} from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";

const rolledOut = ["rollout status deployment/web --timeout=60s", "successfully rolled out"] as const;

/** What a person types on a cluster, in this order, and what the answer contains. */
const commands: readonly (readonly [command: string, ...answers: (string | RegExp)[]])[] = [
  ["create deployment web --image=nginx:1 --replicas=2", "deployment.apps/web created"],
  ["expose deployment web --port=80", "service/web exposed"],
  rolledOut,
  // As many as leave no node without one, whatever the updates below do to their spreading: nodes are drained and tainted.
  ["scale deployment web --replicas=9", "deployment.apps/web scaled"],
  ["set image deployment/web nginx=nginx:2", "deployment.apps/web image updated"],
  rolledOut,
  ["rollout history deployment/web", /^1 +<none>\n2 +<none>$/m],
  ["rollout undo deployment/web", "deployment.apps/web rolled back"],
  rolledOut,
  ["get deployment web -o wide", /^web +9\/9 +9 +9 .*nginx:1/m],
  ["rollout pause deployment/web", "deployment.apps/web paused"],
  ["set resources deployment/web --requests=cpu=100m", "deployment.apps/web resource requirements updated"],
  ["rollout history deployment/web", /^2 +<none>\n3 +<none>\n$/m],
  ["rollout resume deployment/web", "deployment.apps/web resumed"],
  rolledOut,
  ["get endpointslices -l kubernetes.io/service-name=web", /IPv4 +80 +10\.244\.\d+\.\d+,/],
  ["autoscale deployment web --min=2 --max=12 --cpu-percent=80", "horizontalpodautoscaler.autoscaling/web autoscaled"],
  ["cordon node-0", "node/node-0 cordoned"],
  ["get nodes", /^node-0 +Ready,SchedulingDisabled/m, /^node-1 +Ready /m],
  ["drain node-1 --ignore-daemonsets --timeout=60s", "evicting pod default/web-", "node/node-1 drained"],
  ["get pods -o wide --field-selector spec.nodeName=node-1", /^$/],
  ["uncordon node-0", "node/node-0 uncordoned"],
  ["uncordon node-1", "node/node-1 uncordoned"],
  ["taint nodes node-2 maintenance=now:NoExecute", "node/node-2 tainted"],
  rolledOut,
  [
    "describe node node-2",
    "maintenance=now:NoExecute",
    "KubeletReady",
    "Starting kubelet.",
    "NodeHasSufficientPID",
    "NodeReady",
  ],
  ["top nodes", /^node-0 +\d+m +\d+% +\d+Mi +\d+%/m],
  ["top pods", /^web-\S+ +\d+m +\d+Mi/m],
  ["run greeter --image=busybox --restart=Never --command -- echo hello", "pod/greeter created"],
  ["wait pod/greeter --for=jsonpath={.status.phase}=Succeeded --timeout=60s", "condition met"],
  ["logs greeter", /^hello\n$/],
  ["exec deploy/web -- echo inside", "inside\n"],
  ["describe deployment web", "MinimumReplicasAvailable", "deployment-controller  Scaled up replica set web-"],
  ["describe pod -l app=web", "Successfully assigned default/web-", "QoS Class:", "Burstable"],
  ["get events", "SuccessfulCreate", "TaintManagerEviction", 'Pulling image "nginx:2"', "Stopping container nginx"],
  ["create namespace shop", "namespace/shop created"],
  // The namespace is looked at again after half of its pods' grace.
  [`-n shop run till --image=till --overrides={"spec":{"terminationGracePeriodSeconds":1}}`, "pod/till created"],
  ["delete namespace shop --timeout=60s", 'namespace "shop" deleted'],
  ["get pods --all-namespaces", /^default /m],
];

const minor = kubectlMinors().at(-1) ?? "";
const need = { found: findKubectl(minor), missing: "kubectl", timeout: 90_000 };
describeWith("what people type on a cluster", need, (program) => {
  let cluster: CoxswainProcess;
  beforeAll(async () => {
    cluster = await startCoxswain({ command: "up", args: ["--in-memory"] });
  });
  afterAll(async () => {
    await cluster.stop();
    removeDataDir(cluster);
  });

  for (const [index, [command, ...answers]] of commands.entries())
    it(`${index + 1}. kubectl ${command}`, async () => {
      const env = { KUBECONFIG: cluster.kubeconfig, HOME: cluster.dataDir };
      const { code, stdout, stderr } = await runProgram(program, command.split(" "), { env });
      expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
      for (const answer of answers) expect(stdout).toMatch(answer);
    });
});
