package main

import (
	"context"
	"fmt"
	"sort"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/dynamic-resource-allocation/deviceclass/extendedresourcecache"
	resourceslicetracker "k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	internalqueue "k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/util/assumecache"
)

type status struct {
	Code    string   `json:"code"`
	Reasons []string `json:"reasons,omitempty"`
	Plugin  string   `json:"plugin,omitempty"`
}

type victims struct {
	Pods       []string `json:"pods"`
	Violations int64    `json:"violations"`
}

type solution struct {
	// Undefined where nodes were tried.
	PreFilter *status `json:"preFilter,omitempty"`
	// The only nodes that may do.
	NodeNames []string           `json:"nodeNames,omitempty"`
	Filter    map[string]*status `json:"filter,omitempty"`
	// Weighted, by plugin and node.
	Scores     map[string]map[string]int64 `json:"scores,omitempty"`
	Failure    string                      `json:"failure,omitempty"`
	Candidates map[string]victims          `json:"candidates,omitempty"`
	Refused    map[string]*status          `json:"refused,omitempty"`
	Pick       string                      `json:"pick,omitempty"`
}

func statusOf(s *fwk.Status) *status {
	if s.IsSuccess() {
		return nil
	}
	reasons := append([]string{}, s.Reasons()...)
	sort.Strings(reasons)
	return &status{Code: s.Code().String(), Reasons: reasons, Plugin: s.Plugin()}
}

func solve(p *problem) (*solution, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	fh, snapshot, err := newFramework(ctx, p)
	if err != nil {
		return nil, err
	}
	answer := &solution{}
	state := framework.NewCycleState()
	result, preFiltered, _ := fh.RunPreFilterPlugins(ctx, state, p.Pod)
	statuses := framework.NewDefaultNodeToStatus()
	var feasible []fwk.NodeInfo
	if !preFiltered.IsSuccess() {
		answer.PreFilter = statusOf(preFiltered)
		statuses.SetAbsentNodesStatus(preFiltered)
	} else {
		nodes, err := snapshot.NodeInfos().List()
		if err != nil {
			return nil, err
		}
		if !result.AllNodes() {
			answer.NodeNames = result.NodeNames.UnsortedList()
			sort.Strings(answer.NodeNames)
		}
		answer.Filter = map[string]*status{}
		for _, node := range nodes {
			if !result.AllNodes() && !result.NodeNames.Has(node.Node().Name) {
				continue
			}
			s := fh.RunFilterPluginsWithNominatedPods(ctx, state, p.Pod, node)
			answer.Filter[node.Node().Name] = statusOf(s)
			if s.IsSuccess() {
				feasible = append(feasible, node)
			} else {
				statuses.Set(node.Node().Name, s)
			}
		}
	}
	if len(feasible) > 0 {
		return answer, addScores(ctx, fh, state, p, feasible, answer)
	}
	return answer, addPreemption(ctx, fh, snapshot, state, p, statuses, answer)
}

func addScores(ctx context.Context, fh framework.Framework, state fwk.CycleState, p *problem, feasible []fwk.NodeInfo, answer *solution) error {
	if s := fh.RunPreScorePlugins(ctx, state, p.Pod, feasible); !s.IsSuccess() {
		answer.Failure = s.Message()
		return nil
	}
	scores, s := fh.RunScorePlugins(ctx, state, p.Pod, feasible)
	if !s.IsSuccess() {
		answer.Failure = s.Message()
		return nil
	}
	answer.Scores = map[string]map[string]int64{}
	for _, node := range scores {
		for _, plugin := range node.Scores {
			if answer.Scores[plugin.Name] == nil {
				answer.Scores[plugin.Name] = map[string]int64{}
			}
			answer.Scores[plugin.Name][node.Name] = plugin.Score
		}
	}
	return nil
}

func addPreemption(ctx context.Context, fh framework.Framework, snapshot *internalcache.Snapshot, state fwk.CycleState, p *problem, statuses *framework.NodeToStatus, answer *solution) error {
	cfg, err := decodeConfig("")
	if err != nil {
		return err
	}
	var args runtime.Object
	for _, plugin := range cfg.Profiles[0].PluginConfig {
		if plugin.Name == names.DefaultPreemption {
			args = plugin.Args
		}
	}
	pl, err := defaultpreemption.New(ctx, args, fh, feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate))
	if err != nil {
		return err
	}
	nodes, err := statuses.NodesForStatusCode(snapshot.NodeInfos(), fwk.Unschedulable)
	if err != nil || len(nodes) == 0 {
		return err
	}
	budgets, err := fh.SharedInformerFactory().Policy().V1().PodDisruptionBudgets().Lister().List(labels.Everything())
	if err != nil {
		return err
	}
	candidates, refused, err := pl.Evaluator.DryRunPreemption(ctx, state, p.Pod, nodes, budgets, 0, int32(len(nodes)))
	if err != nil {
		answer.Failure = err.Error()
		return nil
	}
	answer.Refused = map[string]*status{}
	refused.ForEachExplicitNode(func(node string, s *fwk.Status) { answer.Refused[node] = statusOf(s) })
	if len(candidates) == 0 {
		return nil
	}
	answer.Candidates = map[string]victims{}
	for _, candidate := range candidates {
		found := victims{Violations: candidate.Victims().NumPDBViolations}
		for _, pod := range candidate.Victims().Pods {
			found.Pods = append(found.Pods, pod.Namespace+"/"+pod.Name)
		}
		answer.Candidates[candidate.Name()] = found
	}
	answer.Pick = pl.Evaluator.SelectCandidate(ctx, candidates).Name()
	return nil
}

func newFramework(ctx context.Context, p *problem) (framework.Framework, *internalcache.Snapshot, error) {
	cfg, err := decodeConfig(p.Config)
	if err != nil {
		return nil, nil, err
	}
	client := fake.NewClientset(p.all()...)
	factory := informers.NewSharedInformerFactory(client, 0)
	logger := klog.FromContext(ctx)
	claims := assumecache.NewAssumeCache(logger, factory.Resource().V1().ResourceClaims().Informer(), "ResourceClaim", "", nil)
	tracker, err := resourceslicetracker.StartTracker(ctx, resourceslicetracker.Options{
		SliceInformer: factory.Resource().V1().ResourceSlices(),
		KubeClient:    client,
	})
	if err != nil {
		return nil, nil, err
	}
	manager := dynamicresources.NewDRAManager(ctx, claims, tracker, factory)
	snapshot := internalcache.NewSnapshot(p.Pods, p.Nodes)
	queue := internalqueue.NewSchedulingQueue(nil, factory)
	fh, err := frameworkruntime.NewFramework(ctx, plugins.NewInTreeRegistry(), &cfg.Profiles[0],
		frameworkruntime.WithClientSet(client),
		frameworkruntime.WithInformerFactory(factory),
		frameworkruntime.WithSnapshotSharedLister(snapshot),
		frameworkruntime.WithSharedDRAManager(manager),
		frameworkruntime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(factory.Storage().V1().CSINodes().Lister())),
		frameworkruntime.WithPodNominator(queue),
		frameworkruntime.WithEventRecorder(clientevents.NewFakeRecorder(100)),
		frameworkruntime.WithWaitingPods(frameworkruntime.NewWaitingPodsMap()),
		frameworkruntime.WithPodsInPreBind(frameworkruntime.NewPodsInPreBindMap()),
	)
	if err != nil {
		return nil, nil, err
	}
	factory.Core().V1().Pods().Informer()
	factory.Policy().V1().PodDisruptionBudgets().Informer()
	classes, err := factory.Resource().V1().DeviceClasses().Informer().AddEventHandler(
		manager.DeviceClassResolver().(*extendedresourcecache.ExtendedResourceCache))
	if err != nil {
		return nil, nil, err
	}
	factory.Start(ctx.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return nil, nil, fmt.Errorf("the cache of %v was not filled", kind)
		}
	}
	// Handlers run after the caches are filled.
	return fh, snapshot, wait.PollUntilContextCancel(ctx, time.Millisecond, true, func(context.Context) (bool, error) {
		slices, err := tracker.ListPatchedResourceSlices()
		return classes.HasSynced() && len(slices) == len(p.Objects.ResourceSlices) &&
			len(claims.List(nil)) == len(p.Objects.ResourceClaims), err
	})
}
