import type { KubectlCommand } from "./kubectl-command.js";

const created = /created/;

/** All generators of `create` but `token`, and what else makes objects. */
export const makeCommands: readonly KubectlCommand[] = [
  {
    run: "kubectl create clusterrole reader --verb=get,list --resource=pods,deployments.apps --resource-name=a",
    prints: created,
  },
  { run: "kubectl create clusterrole paths --verb=get --non-resource-url=/metrics", prints: created },
  {
    run: "kubectl create clusterrolebinding readers --clusterrole=reader --user=jane --group=devs --serviceaccount=scene:bot",
    prints: created,
  },
  {
    run: "kubectl create configmap colours --from-literal=sky=blue --from-file=env.txt --from-literal=__proto__=x",
    prints: created,
    short: true,
  },
  { run: "kubectl create configmap fromenv --from-env-file=env.txt", prints: created },
  {
    run: "kubectl create cronjob nightly --image=registry.example/job:1 --schedule='0 0 * * *' -- echo hi",
    prints: created,
  },
  {
    run: "kubectl create deployment made --image=registry.example/a:1 --replicas=0 --port=80",
    prints: created,
    short: true,
  },
  {
    run: "kubectl create ingress made --rule='shop.example/path*=made:80,tls=cert' --class=none --annotation=a=b",
    prints: created,
  },
  { run: "kubectl create job once --image=registry.example/job:1 -- true", prints: created, short: true },
  { run: "kubectl create job again --from=cronjob/nightly", prints: created },
  { run: "kubectl create namespace other", prints: created },
  { run: "kubectl create poddisruptionbudget made --selector=app=made --min-available=1", prints: created },
  { run: "kubectl create priorityclass high --value=1000 --description=d", prints: created },
  {
    run: "kubectl create quota limits --hard=pods=100,services=20 --scopes=NotTerminating --dry-run=client -o yaml",
    prints: /NotTerminating/,
  },
  { run: "kubectl create quota limits --hard=pods=100,services=20", prints: created },
  { run: "kubectl create role reader --verb=get --resource=pods/log,pods/status", prints: created },
  { run: "kubectl create rolebinding readers --role=reader --user=jane", prints: created },
  {
    run: "kubectl create secret generic plain --from-literal=a=b --type=example.com/own",
    prints: created,
    short: true,
  },
  {
    run: "kubectl create secret docker-registry pull --docker-server=registry.example --docker-username=u --docker-password=p",
    prints: created,
  },
  {
    run: "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout tls.key -out tls.crt -subj /CN=shop.example -days 2 2>/dev/null; kubectl create secret tls cert --cert=tls.crt --key=tls.key",
    name: "create secret tls",
    prints: created,
  },
  { run: "kubectl create service clusterip inside --tcp=80:8080", prints: created, short: true },
  { run: "kubectl create service nodeport outside --tcp=80 --node-port=30080", prints: created },
  { run: "kubectl create service loadbalancer balanced --tcp=443:8443", prints: created },
  { run: "kubectl create service externalname away --external-name=example.com", prints: created },
  { run: "kubectl create serviceaccount bot", prints: created },
  { run: "kubectl create token bot --duration=600s", varies: true, prints: /^ey/ },
  { run: "kubectl create -f invalid.json", fails: true, prints: /Invalid value: "Not_Valid"/, short: true },
  { run: "kubectl create -f bad-field.json", fails: true, prints: /unknown field "oops"/, short: true },
  { run: "kubectl create -f bad-field.json --validate=warn", prints: /Warning: unknown field "oops"/ },
  { run: "kubectl delete configmap bad", prints: /deleted/ },
  { run: "kubectl create namespace default", fails: true, prints: /\(AlreadyExists\)/ },
  { run: "kubectl create configmap gone -n nowhere", fails: true, prints: /namespaces "nowhere" not found/ },
  { run: "kubectl create deployment dry --image=a --dry-run=server -o json", prints: /"progressDeadlineSeconds": 600/ },
  { run: "kubectl create -f pods.json -o name", prints: /pod\/one\npod\/two\npod\/three/, short: true },
  { run: "kubectl create -f csr.json", prints: created },
  {
    run: "kubectl certificate approve asked && kubectl get csr asked",
    name: "certificate approve",
    prints: /Approved/,
  },
  { run: "kubectl certificate deny asked", fails: true },
  {
    run: "kubectl run lone --image=registry.example/a:1 --port=80 --labels=app=lone --env=A=b -- sleep 1",
    prints: /pod\/lone created/,
    short: true,
  },
  { run: "kubectl expose pod lone --port=80 --name=lone", prints: /service\/lone exposed/ },
  { run: "kubectl expose deployment made --type=NodePort --target-port=8080", prints: /exposed/ },
  {
    run: "kubectl autoscale deployment made --min=1 --max=3 --cpu-percent=80 2>/dev/null || kubectl autoscale deployment made --min=1 --max=3 --cpu=80%",
    name: "autoscale",
    prints: /autoscaled/,
  },
  { run: "kubectl create -f cluster.json", prints: created, name: "create every cluster-wide kind" },
  { run: "kubectl create -f namespaced.json", prints: created, name: "create every namespaced kind" },
];
