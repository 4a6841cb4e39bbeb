import type { KubectlCommand } from "./kubectl-command.js";

const forms = [
  "json",
  "yaml",
  "wide",
  "name",
  "jsonpath='{.items[*].metadata.name}'",
  "custom-columns=N:.metadata.name,L:.metadata.labels",
  "go-template='{{range .items}}{{.metadata.name}} {{end}}'",
];
const masked = new Set(["json", "yaml"]);

const everyKind = (file: string): KubectlCommand[] => [
  { run: `kubectl get -f ${file}`, prints: /every/ },
  ...forms.map(
    (form): KubectlCommand => ({
      run: `kubectl get -f ${file} -o ${form}`,
      prints: /every/,
      ...(masked.has(form) ? { varies: true } : {}),
    }),
  ),
  { run: `kubectl get -f ${file} --show-labels --show-kind`, prints: /set=every/ },
];

/** Reading in all forms, of one kind and of every kind. */
export const readCommands: readonly KubectlCommand[] = [
  ...everyKind("namespaced.json"),
  ...everyKind("cluster.json"),
  { run: "kubectl describe -f namespaced.json", prints: /Name: +every/ },
  // Old releases ask for versions of ServiceCIDR and VolumeAttributesClass that are no longer served, by kube-apiserver either.
  { run: "kubectl describe -f described.json", prints: /Name: +every/ },
  { run: "kubectl describe servicecidr/every vac/every", prints: /CIDRs: +10.96/, since: 34 },
  {
    run: "kubectl get apiservices v1.apps && kubectl describe apiservice v1.apps",
    name: "get and describe an APIService",
    prints: /Local/,
  },
  { run: "kubectl get componentstatuses", varies: true, prints: /NAME/ },
  { run: "kubectl get ipaddresses", varies: true, prints: /10\./ },
  { run: "kubectl get all", prints: /deployment.apps\/made/, short: true, varies: true },
  { run: "kubectl get pods,services,configmaps -o name", prints: /configmap\/colours/, short: true, varies: true },
  { run: "kubectl get pods -o wide", prints: /NOMINATED NODE +READINESS GATES/, varies: true },
  { run: "kubectl get pods one two -o custom-columns-file=columns.txt", prints: /registry.example\/web:1/ },
  { run: "kubectl get pods -o go-template-file=template.txt", prints: /lone/, varies: true },
  {
    run: "kubectl get pod one -o jsonpath='{.spec.containers[?(@.name==\"web\")].ports[0].containerPort}'",
    prints: /^8080/,
  },
  { run: "kubectl get pod one -o jsonpath-as-json='{.metadata.labels}'", prints: /"app": "one"/ },
  { run: "kubectl get pod one --template='{{.metadata.name}}'", prints: /^one/ },
  { run: "kubectl get pods --show-labels -L app -l 'app in (one,two)'", prints: /app=two/, short: true },
  { run: "kubectl get pods -l app!=one,app --no-headers", prints: /three/, varies: true },
  { run: "kubectl get pods -l '!app' -o name", varies: true },
  {
    run: "kubectl get pods --sort-by=.metadata.name -o name -l 'app in (one,two,three)'",
    prints: /pod\/one\npod\/three\npod\/two/,
  },
  { run: "kubectl get pods --sort-by='{.metadata.creationTimestamp}' -l app=one", prints: /one/ },
  {
    run: "kubectl get pods --field-selector=metadata.name=two,status.phase=Pending -o name",
    prints: /^pod\/two$/m,
    short: true,
  },
  {
    run: "kubectl get pods --field-selector=spec.nodeName!=x --chunk-size=1 -o name",
    prints: /pod\/three/,
    varies: true,
  },
  { run: "kubectl get pods --field-selector=spec.nothing=x", fails: true, prints: /field label not supported/ },
  { run: "kubectl get pods -l 'a in b'", fails: true, prints: /unable to parse requirement|BadRequest/ },
  { run: "kubectl get configmaps -A --chunk-size=3 -o name", prints: /configmap\/colours/, varies: true, short: true },
  { run: "kubectl get events -A --field-selector=type=Normal", prints: /Tested/, varies: true },
  { run: "kubectl get services --field-selector=spec.type=NodePort -o name", prints: /service\/outside/ },
  { run: "kubectl get --raw '/api/v1/namespaces/scene/pods?limit=1'", prints: /"continue"/, varies: true },
  { run: "kubectl get pod one --show-managed-fields -o yaml", prints: /managedFields/, varies: true },
  { run: "kubectl get pod one --subresource=status -o json", prints: /"phase": "Pending"/, varies: true },
  { run: "kubectl get deployment made --subresource=scale -o yaml", prints: /kind: Scale/, varies: true },
  { run: "kubectl get pod nobody", fails: true, prints: /\(NotFound\): pods "nobody" not found/, short: true },
  { run: "kubectl get pod nobody --ignore-not-found", short: true },
  { run: "kubectl get nonsense", fails: true, prints: /doesn't have a resource type "nonsense"/ },
  { run: "kubectl get -k custom --ignore-not-found" },
  {
    run: "timeout 60 kubectl get configmaps -w -o name > watched & p=$!; until grep -q colours watched; do sleep 0.1; done; kubectl create configmap seen; until grep -q seen watched; do sleep 0.1; done; kill $p; kubectl delete configmap seen",
    name: "get -w",
    varies: true,
    short: true,
  },
  {
    run: "timeout 60 kubectl get pod one -w --output-watch-events > watched2 & p=$!; until grep -q ADDED watched2; do sleep 0.1; done; kubectl label pod one seen=yes; until grep -q MODIFIED watched2; do sleep 0.1; done; kill $p; kubectl label pod one seen-",
    name: "get one -w --output-watch-events",
    varies: true,
  },
  { run: "kubectl get pods --watch-only --request-timeout=1s", varies: true },
  { run: "kubectl events", since: 28, varies: true, prints: /Tested/ },
  { run: "kubectl events --types=Normal", since: 28, varies: true, prints: /Tested/ },
  { run: "kubectl events -A -o yaml", since: 28, varies: true, prints: /kind: Event/ },
  { run: "kubectl describe pods -l app=one", prints: /Name: +one/, short: true },
  { run: "kubectl describe namespace scene", prints: /Resource Quotas/, varies: true },
  { run: "kubectl describe nodes", prints: /Unschedulable: +true/, varies: true },
  { run: "kubectl describe nothing/here", fails: true },
  { run: "kubectl logs one", varies: true },
  { run: "kubectl exec one -- true", fails: true, varies: true },
];
