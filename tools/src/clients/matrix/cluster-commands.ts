import type { KubectlCommand } from "./kubectl-command.js";

const resources =
  "bindings configmaps componentstatuses endpoints events limitranges namespaces nodes persistentvolumeclaims persistentvolumes pods podtemplates replicationcontrollers resourcequotas secrets serviceaccounts services mutatingwebhookconfigurations validatingwebhookconfigurations validatingadmissionpolicies validatingadmissionpolicybindings mutatingadmissionpolicies customresourcedefinitions apiservices controllerrevisions daemonsets deployments replicasets statefulsets tokenreviews selfsubjectreviews subjectaccessreviews selfsubjectrulesreviews horizontalpodautoscalers cronjobs jobs certificatesigningrequests leases endpointslices flowschemas prioritylevelconfigurations ingressclasses ingresses ipaddresses servicecidrs networkpolicies runtimeclasses poddisruptionbudgets clusterroles clusterrolebindings roles rolebindings deviceclasses resourceclaims resourceclaimtemplates resourceslices priorityclasses csidrivers csinodes csistoragecapacities storageclasses volumeattachments volumeattributesclasses";

/** `varies` of explain: our own words stand for what every object has. The server, its documents, who one is, and kubectl's own settings. */
export const clusterCommands: readonly KubectlCommand[] = [
  { run: "kubectl config view -o jsonpath='{.contexts[0].name}'", varies: true, short: true },
  { run: "kubectl create namespace scene", prints: /^namespace\/scene created$/m, short: true },
  { run: "kubectl config set-context --current --namespace=scene", varies: true, short: true },
  {
    run: "kubectl config get-contexts && kubectl config current-context && kubectl config get-clusters && kubectl config get-users",
    name: "config get-contexts, current-context, get-clusters, get-users",
    varies: true,
  },
  {
    run: "until kubectl get serviceaccount default -o name; do sleep 0.2; done",
    name: "the default service account is made",
    varies: true,
  },
  { run: "kubectl version", prints: /Server Version: .*v1\.36/, varies: true, short: true },
  { run: "kubectl version -o yaml", prints: /serverVersion:/, varies: true },
  { run: "kubectl cluster-info", prints: /control plane.* is running at/, varies: true, short: true },
  {
    run: "kubectl cluster-info dump --output-directory=dump -A && test -s dump/nodes.json",
    name: "cluster-info dump",
    varies: true,
  },
  { run: "kubectl api-versions", prints: /^apps\/v1$/m, short: true },
  { run: "kubectl api-resources", prints: /^deployments +deploy +apps\/v1 +true +Deployment$/m, short: true },
  { run: "kubectl api-resources -o wide --sort-by=name", prints: /volumeattributesclasses/ },
  { run: "kubectl api-resources -o name --namespaced=false --verbs=list,watch", prints: /^nodes$/m },
  { run: "kubectl api-resources --api-group=batch --categories=all --no-headers", prints: /cronjobs/ },
  { run: "kubectl explain pod.spec.containers.image", prints: /FIELD: image <string>/, short: true },
  { run: "kubectl explain deployment --recursive", prints: /minReadySeconds\s+<integer>/, short: true },
  { run: "kubectl explain hpa --api-version=autoscaling/v1", prints: /VERSION: +(autoscaling\/)?v1$/m, varies: true },
  { run: "kubectl explain hpa.spec.metrics --api-version=autoscaling/v2", prints: /metrics/, varies: true },
  { run: "kubectl explain events --api-version=events.k8s.io/v1", prints: /Event/, varies: true },
  { run: "kubectl explain pod.nothing", fails: true, prints: /field "nothing" does not exist|doesn't exist/ },
  { run: "kubectl explain pods --output=plaintext-openapiv2", prints: /KIND: +Pod/, varies: true },
  {
    run: `for r in ${resources}; do kubectl explain $r >> explained || { echo "$r" >&2; exit 1; }; done`,
    name: "explain every resource",
  },
  {
    run: `for r in pods services deployments jobs ingresses resourceclaims customresourcedefinitions; do kubectl explain $r --recursive >> explained || { echo "$r" >&2; exit 1; }; done`,
    name: "explain --recursive of the large ones",
  },
  { run: "kubectl auth can-i create pods", prints: /^yes$/m, short: true },
  { run: "kubectl auth can-i --list", prints: /\*\.\*/ },
  { run: "kubectl auth can-i get pods --as=nobody", fails: true, prints: /^no/m },
  { run: "kubectl auth whoami", since: 28, prints: /system:masters/, varies: true },
  { run: "kubectl auth reconcile -f roles.json --dry-run=client", varies: true },
  { run: "kubectl get --raw /readyz", prints: /^ok/, short: true },
  { run: "kubectl get --raw '/livez?verbose'", prints: /livez check passed/, varies: true },
  { run: "kubectl get --raw /openapi/v2 | head -c 20", prints: /"swagger":"2.0"/ },
  { run: "kubectl get --raw /openapi/v3 | head -c 9", prints: /\{"paths":/ },
  { run: "kubectl get --raw /nowhere", fails: true, prints: /NotFound/ },
  { run: "kubectl top nodes", fails: true, prints: /Metrics API not available/, short: true },
  { run: "kubectl top pods", fails: true, prints: /Metrics API not available/ },
  {
    run: "kubectl proxy --port=0 > proxy.log & p=$!; until grep -q 'Starting to serve' proxy.log; do sleep 0.1; done; curl -sf http://$(grep -o '127.0.0.1:[0-9]*' proxy.log)/api/v1/namespaces/scene -o proxied; c=$?; kill $p; cat proxied; exit $c",
    name: "proxy",
    prints: /"name": ?"scene"/,
    varies: true,
    short: true,
  },
  {
    run: "kubectl options | head -3 && kubectl plugin list 2>&1 | head -1; kubectl completion bash | head -1",
    name: "options, plugin, completion",
    varies: true,
  },
];
