#!/usr/bin/env bash
# Runs functions of upstream's kubectl scripts against a server that is there already. The working directory holds a copy
# of the scripts, which write into it.
#
#   SECURE_API_PORT   where the server listens on 127.0.0.1
#   BINARIES          folder with kubectl and kubectl-convert
#   FUNCTIONS         names of the functions to run, between blanks; the assertions between them always run
#   ALLOW_SKEW        read by the scripts: the server is of another build than kubectl

source hack/lib/init.sh
# init.sh sets it to a folder of its own.
export THIS_PLATFORM_BIN="${BINARIES:?}"
source hack/lib/test.sh
source test/cmd/legacy-script.sh

# What upstream builds and starts at this point is there.
make() { :; }
kube::etcd::start() { :; }
kube::etcd::cleanup() { :; }

# Upstream's own recorder, for those functions that were asked for.
eval "record_$(declare -f record_command)"
record_command() {
  case " ${FUNCTIONS:?} " in
    *" $1 "*) record_record_command "$@" ;;
  esac
}

setup
# There is no kubelet, and the scripts expect a cluster with this one node. A node without a field of its own would have no managed fields.
kubectl create -f - <<NODE || kubectl get node 127.0.0.1
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "127.0.0.1", "annotations": {"save-managers": "true"}}, "status": {"capacity": {"memory": "1Gi"}}}
NODE
SUPPORTED_RESOURCES=("*")
runTests
