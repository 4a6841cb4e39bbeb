package main

import (
	"testing"

	"github.com/anishathalye/porcupine"
	"go.etcd.io/etcd/tests/v3/robustness/model"
	"go.etcd.io/etcd/tests/v3/robustness/report"
)

func put(key, value string, lease int64) model.EtcdOperation {
	return model.EtcdOperation{Type: model.PutOperation, Put: model.PutOptions{Key: key, Value: model.ToValueOrHash(value), LeaseID: lease}}
}

func asked(operations ...model.EtcdOperation) porcupine.Operation {
	request := model.EtcdRequest{Type: model.Txn, Txn: &model.TxnRequest{OperationsOnSuccess: operations}}
	return porcupine.Operation{Input: request, Output: model.MaybeEtcdResponse{Error: "lost"}}
}

func TestDeletionsOfRevocationsAreNoRequestsToDelete(t *testing.T) {
	revoke := model.EtcdRequest{Type: model.LeaseRevoke, LeaseRevoke: &model.LeaseRevokeRequest{LeaseID: 7}}
	reports := []report.ClientReport{{KeyValue: []porcupine.Operation{
		asked(put("a", "1", 7)),
		asked(put("b", "2", 7)),
		asked(put("c", "3", 8)),
		{Input: revoke, Output: model.MaybeEtcdResponse{Error: "lost"}},
	}}}
	one, two, three := "1", "2", "3"
	log := storeLog{}
	write := func(changes ...change) {
		log.Revisions = append(log.Revisions, revision{Revision: int64(len(log.Revisions)) + 2, Changes: changes})
	}
	write(change{"a", &one})
	write(change{"b", &two})
	write(change{"c", &three})
	write(change{"c", nil})
	write(change{"a", nil}, change{"b", nil})
	requests, err := log.requests(reports)
	if err != nil {
		t.Fatal(err)
	}
	got := []model.RequestType{}
	for _, request := range requests {
		got = append(got, request.Type)
	}
	want := []model.RequestType{model.LeaseGrant, model.LeaseGrant, model.Txn, model.Txn, model.Txn, model.Txn, model.LeaseRevoke}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for at := range want {
		if got[at] != want[at] {
			t.Fatalf("got %v", got)
		}
	}
	if _, err := model.NewReplay(requests).StateForRevision(6); err != nil {
		t.Fatal(err)
	}
}
