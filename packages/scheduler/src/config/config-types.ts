/** Types of KubeSchedulerConfiguration, in the text form of `@coxswain/apimachinery/schema`. */
export const configPackage = "kubescheduler.config.k8s.io.v1";

export const configTypes = `@${configPackage}
=KubeSchedulerConfiguration
kind s 1 o
apiVersion s 2 o
parallelism *i 3 o
leaderElection LeaderElectionConfiguration 4 o
clientConnection ClientConnectionConfiguration 5 o
enableProfiling *b 6 o
enableContentionProfiling *b 7 o
percentageOfNodesToScore *i 8 o
podInitialBackoffSeconds *l 9 o
podMaxBackoffSeconds *l 10 o
profiles []KubeSchedulerProfile 11 o
extenders []Extender 12 o
delayCacheUntilActive b 13 o
=LeaderElectionConfiguration
leaderElect *b 1 o
leaseDuration D 2 o
renewDeadline D 3 o
retryPeriod D 4 o
resourceLock s 5 o
resourceName s 6 o
resourceNamespace s 7 o
=ClientConnectionConfiguration
kubeconfig s 1 o
acceptContentTypes s 2 o
contentType s 3 o
qps d 4 o
burst i 5 o
=KubeSchedulerProfile
schedulerName *s 1 o
percentageOfNodesToScore *i 2 o
plugins *Plugins 3 o
pluginConfig []PluginConfig 4 o
=Plugins
preEnqueue PluginSet 1 o
queueSort PluginSet 2 o
preFilter PluginSet 3 o
filter PluginSet 4 o
postFilter PluginSet 5 o
preScore PluginSet 6 o
score PluginSet 7 o
reserve PluginSet 8 o
permit PluginSet 9 o
preBind PluginSet 10 o
bind PluginSet 11 o
postBind PluginSet 12 o
multiPoint PluginSet 13 o
placementGenerate PluginSet 14 o
placementScore PluginSet 15 o
=PluginSet
enabled []Plugin 1 o
disabled []Plugin 2 o
=Plugin
name s 1 o
weight *i 2 o
=PluginConfig
name s 1 o
args J 2 o
=Extender
urlPrefix s 1 o
filterVerb s 2 o
preemptVerb s 3 o
prioritizeVerb s 4 o
weight l 5 o
bindVerb s 6 o
enableHTTPS b 7 o
tlsConfig *ExtenderTLSConfig 8 o
httpTimeout D 9 o
nodeCacheCapable b 10 o
managedResources []ExtenderManagedResource 11 o
ignorable b 12 o
=ExtenderTLSConfig
insecure b 1 o
serverName s 2 o
certFile s 3 o
keyFile s 4 o
caFile s 5 o
certData y 6 o
keyData y 7 o
caData y 8 o
=ExtenderManagedResource
name s 1 o
ignoredByScheduler b 2 o
=DefaultPreemptionArgs
kind s 1 o
apiVersion s 2 o
minCandidateNodesPercentage *i 3 o
minCandidateNodesAbsolute *i 4 o
=InterPodAffinityArgs
kind s 1 o
apiVersion s 2 o
hardPodAffinityWeight *i 3 o
ignorePreferredTermsOfExistingPods b 4 o
=NodeAffinityArgs
kind s 1 o
apiVersion s 2 o
addedAffinity J 3 o
=NodeResourcesBalancedAllocationArgs
kind s 1 o
apiVersion s 2 o
resources []ResourceSpec 3 o
=NodeResourcesFitArgs
kind s 1 o
apiVersion s 2 o
ignoredResources []s 3 o
ignoredResourceGroups []s 4 o
scoringStrategy *ScoringStrategy 5 o
=ScoringStrategy
type s 1 o
resources []ResourceSpec 2 o
requestedToCapacityRatio *RequestedToCapacityRatioParam 3 o
=RequestedToCapacityRatioParam
shape []UtilizationShapePoint 1 o
=UtilizationShapePoint
utilization i 1 o
score i 2 o
=ResourceSpec
name s 1 o
weight l 2 o
=PodTopologySpreadArgs
kind s 1 o
apiVersion s 2 o
defaultConstraints []TopologySpreadConstraint 3 o
defaultingType s 4 o
=TopologySpreadConstraint
maxSkew i 1 o
topologyKey s 2 o
whenUnsatisfiable s 3 o
labelSelector J 4 o
minDomains *i 5 o
nodeAffinityPolicy *s 6 o
nodeTaintsPolicy *s 7 o
matchLabelKeys []s 8 o
=VolumeBindingArgs
kind s 1 o
apiVersion s 2 o
bindTimeoutSeconds *l 3 o
shape []UtilizationShapePoint 4 o
=DynamicResourcesArgs
kind s 1 o
apiVersion s 2 o
filterTimeout *D 3 o
bindingTimeout *D 4 o
`;
