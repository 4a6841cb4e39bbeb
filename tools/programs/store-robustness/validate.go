package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
	"go.etcd.io/etcd/tests/v3/robustness/model"
	"go.etcd.io/etcd/tests/v3/robustness/report"
	"go.etcd.io/etcd/tests/v3/robustness/traffic"
	"go.etcd.io/etcd/tests/v3/robustness/validate"
	"go.uber.org/zap"
)

// storeLog is what the store wrote, as read from its files.
type storeLog struct {
	Revisions []revision
	// Compacted are the revisions that the store was compacted to, as found whenever it was read.
	Compacted []int64
}

type revision struct {
	Revision int64
	Changes  []change
}

type change struct {
	Key string
	// Value is null for a deletion.
	Value *string
}

// requests are the log in the form that etcd's validators take from its own: every revision is what was written in it, without conditions.
func (l storeLog) requests(reports []report.ClientReport) ([]model.EtcdRequest, error) {
	leases := leasesOf(reports)
	requests := leases.grants()
	for at, revision := range l.Revisions {
		if want := int64(at) + 2; revision.Revision != want {
			return nil, fmt.Errorf("the log has revision %d where %d should be", revision.Revision, want)
		}
		requests = append(requests, requestOf(revision, leases))
	}
	return append(requests, l.compactions(reports)...), nil
}

// requestOf is the end of a lease, or a transaction with all that the revision changed.
func requestOf(revision revision, leases leases) model.EtcdRequest {
	txn := &model.TxnRequest{}
	deleted := []string{}
	for _, change := range revision.Changes {
		if change.Value == nil {
			deleted = append(deleted, change.Key)
			txn.OperationsOnSuccess = append(txn.OperationsOnSuccess, model.EtcdOperation{
				Type: model.DeleteOperation, Delete: model.DeleteOptions{Key: change.Key},
			})
			continue
		}
		put := model.PutOptions{Key: change.Key, Value: model.ToValueOrHash(*change.Value)}
		put.LeaseID = leases.put(put)
		txn.OperationsOnSuccess = append(txn.OperationsOnSuccess, model.EtcdOperation{Type: model.PutOperation, Put: put})
	}
	if len(deleted) > 0 {
		id, isEnd := leases.deleted(revision.Revision, deleted)
		if isEnd && len(deleted) == len(revision.Changes) {
			return model.EtcdRequest{Type: model.LeaseRevoke, LeaseRevoke: &model.LeaseRevokeRequest{LeaseID: id}}
		}
	}
	return model.EtcdRequest{Type: model.Txn, Txn: txn}
}

// compactions are those without an answer that the store may have carried out: they do not go beyond what it was compacted to at the end. The
// validators forget the others. Those with an answer must not be among them: where in the order of revisions they happened is not known.
func (l storeLog) compactions(reports []report.ClientReport) []model.EtcdRequest {
	last := slices.Max(append([]int64{0}, l.Compacted...))
	requests := []model.EtcdRequest{}
	for _, client := range reports {
		for _, operation := range client.KeyValue {
			request, response := operation.Input.(model.EtcdRequest), operation.Output.(model.MaybeEtcdResponse)
			if request.Type == model.Compact && response.Error != "" && request.Compact.Revision <= last {
				requests = append(requests, request)
			}
		}
	}
	return requests
}

func validateRun(logger *zap.Logger, kind traffic.Traffic, folder, logFile string, timeout time.Duration) error {
	reports, err := report.LoadClientReports(folder)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(logFile)
	if err != nil {
		return err
	}
	log := storeLog{}
	if err := json.Unmarshal(text, &log); err != nil {
		return err
	}
	requests, err := log.requests(reports)
	if err != nil {
		return err
	}
	config := validate.Config{ExpectRevisionUnique: kind.ExpectUniqueRevision()}
	result := validate.ValidateAndReturnVisualize(logger, config, reports, requests, timeout)
	counts, err := json.Marshal(countsOf(reports, len(log.Revisions)))
	if err != nil {
		return err
	}
	fmt.Println(string(counts))
	if result.Linearization.Status == validate.Failure {
		operations := []porcupine.Operation{}
		for _, client := range reports {
			operations = append(operations, client.KeyValue...)
		}
		explain(result.Linearization, operations)
	}
	return result.Error()
}

type counts struct {
	Revisions   int `json:"revisions"`
	Succeeded   int `json:"succeeded"`
	Failed      int `json:"failed"`
	Compactions int `json:"compactions"`
	Watches     int `json:"watches"`
	Events      int `json:"events"`
}

func countsOf(reports []report.ClientReport, revisions int) counts {
	c := counts{Revisions: revisions}
	for _, client := range reports {
		for _, operation := range client.KeyValue {
			response := operation.Output.(model.MaybeEtcdResponse)
			if response.Error != "" {
				c.Failed++
			} else {
				c.Succeeded++
			}
			if response.Compact != nil {
				c.Compactions++
			}
		}
		c.Watches += len(client.Watch)
		c.Events += client.WatchEventCount()
	}
	return c
}
