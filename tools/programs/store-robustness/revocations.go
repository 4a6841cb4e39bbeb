package main

import (
	"slices"

	"go.etcd.io/etcd/tests/v3/robustness/model"
	"go.etcd.io/etcd/tests/v3/robustness/report"
)

// leases are the keys of each lease while the log is read. What a lease deletes at its end is in the log like any deletion, but no client
// asked for that: the validators would take a request to delete the same key, which was lost, for one that was carried out.
type leases struct {
	// ofPut is the lease with which a client put a value. Values are unique.
	ofPut map[model.PutOptions]int64
	// revoked are the leases that a client asked to revoke, whatever the answer.
	revoked map[int64]bool
	// deletedAt are the revisions that a transaction answered that deleted something.
	deletedAt map[int64]bool
	ofKey     map[string]int64
}

func leasesOf(reports []report.ClientReport) leases {
	l := leases{map[model.PutOptions]int64{}, map[int64]bool{}, map[int64]bool{}, map[string]int64{}}
	for _, client := range reports {
		for _, operation := range client.KeyValue {
			request, response := operation.Input.(model.EtcdRequest), operation.Output.(model.MaybeEtcdResponse)
			switch request.Type {
			case model.LeaseRevoke:
				l.revoked[request.LeaseRevoke.LeaseID] = true
			case model.Txn:
				for _, each := range request.Txn.AllOperations() {
					if each.Type == model.PutOperation && each.Put.LeaseID != 0 {
						l.ofPut[model.PutOptions{Key: each.Put.Key, Value: each.Put.Value}] = each.Put.LeaseID
					}
				}
				if response.Txn != nil && slices.ContainsFunc(response.Txn.Results, func(r model.EtcdOperationResult) bool { return r.Deleted != 0 }) {
					l.deletedAt[response.Revision] = true
				}
			}
		}
	}
	return l
}

// grants are requests for all leases that have keys: the validators know no others.
func (l leases) grants() []model.EtcdRequest {
	ids := []int64{}
	for _, id := range l.ofPut {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	requests := []model.EtcdRequest{}
	for _, id := range ids {
		requests = append(requests, model.EtcdRequest{Type: model.LeaseGrant, LeaseGrant: &model.LeaseGrantRequest{LeaseID: id}})
	}
	return requests
}

// put notes that a key has a new value, and returns its lease; 0: none.
func (l leases) put(put model.PutOptions) int64 {
	id := l.ofPut[put]
	delete(l.ofKey, put.Key)
	if id != 0 {
		l.ofKey[put.Key] = id
	}
	return id
}

// deleted notes that keys are gone, and returns the lease whose end that was: they are all of its keys, a client asked for that, and nobody
// was told that a transaction of his had deleted them.
func (l leases) deleted(revision int64, keys []string) (int64, bool) {
	id := l.ofKey[keys[0]]
	all := 0
	for _, of := range l.ofKey {
		if of == id {
			all++
		}
	}
	isEnd := id != 0 && l.revoked[id] && !l.deletedAt[revision] && all == len(keys) &&
		!slices.ContainsFunc(keys, func(key string) bool { return l.ofKey[key] != id })
	for _, key := range keys {
		delete(l.ofKey, key)
	}
	return id, isEnd
}
