/** Types of KubeProxyConfiguration, in the text form of `@coxswain/apimachinery/schema` (k8s.io/kube-proxy/config/v1alpha1/types.go). */
export const configPackage = "kubeproxy.config.k8s.io.v1alpha1";

export const configTypes = `@${configPackage}
=KubeProxyConfiguration
kind s 1 o
apiVersion s 2 o
featureGates {}b 3 o
clientConnection ClientConnectionConfiguration 4 o
logging LoggingConfiguration 5 o
hostnameOverride s 6 o
bindAddress s 7 o
healthzBindAddress s 8 o
metricsBindAddress s 9 o
bindAddressHardFail b 10 o
enableProfiling b 11 o
showHiddenMetricsForVersion s 12 o
mode s 13 o
iptables KubeProxyIPTablesConfiguration 14 o
ipvs KubeProxyIPVSConfiguration 15 o
nftables KubeProxyNFTablesConfiguration 16 o
winkernel KubeProxyWinkernelConfiguration 17 o
detectLocalMode s 18 o
detectLocal DetectLocalConfiguration 19 o
clusterCIDR s 20 o
nodePortAddresses []s 21 o
oomScoreAdj *i 22 o
conntrack KubeProxyConntrackConfiguration 23 o
configSyncPeriod D 24 o
portRange s 25 o
windowsRunAsService b 26 o
=ClientConnectionConfiguration
kubeconfig s 1 o
acceptContentTypes s 2 o
contentType s 3 o
qps d 4 o
burst i 5 o
=LoggingConfiguration
format s 1 o
flushFrequency I 2 o
verbosity i 3 o
vmodule []VModuleItem 4 o
options FormatOptions 5 o
=VModuleItem
filePattern s 1 o
verbosity i 2 o
=FormatOptions
text TextOptions 1 o
json TextOptions 2 o
=TextOptions
splitStream b 1 o
infoBufferSize I 2 o
=KubeProxyIPTablesConfiguration
masqueradeBit *i 1 o
masqueradeAll b 2 o
localhostNodePorts *b 3 o
syncPeriod D 4 o
minSyncPeriod D 5 o
=KubeProxyIPVSConfiguration
syncPeriod D 1 o
minSyncPeriod D 2 o
scheduler s 3 o
excludeCIDRs []s 4 o
strictARP b 5 o
tcpTimeout D 6 o
tcpFinTimeout D 7 o
udpTimeout D 8 o
=KubeProxyNFTablesConfiguration
masqueradeBit *i 1 o
masqueradeAll b 2 o
syncPeriod D 3 o
minSyncPeriod D 4 o
=KubeProxyConntrackConfiguration
maxPerCore *i 1 o
min *i 2 o
tcpEstablishedTimeout *D 3 o
tcpCloseWaitTimeout *D 4 o
tcpBeLiberal b 5 o
udpTimeout D 6 o
udpStreamTimeout D 7 o
=KubeProxyWinkernelConfiguration
networkName s 1 o
sourceVip s 2 o
enableDSR b 3 o
rootHnsEndpointName s 4 o
forwardHealthCheckVip b 5 o
=DetectLocalConfiguration
bridgeInterface s 1 o
interfaceNamePrefix s 2 o
`;

/** The document as it is written, before its defaults. */
export interface ConfigDocument {
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly clientConnection?: {
    readonly kubeconfig?: string;
    readonly qps?: number;
    readonly burst?: number;
  };
  readonly logging?: { readonly format?: string; readonly verbosity?: number; readonly vmodule?: readonly unknown[] };
  readonly hostnameOverride?: string;
  readonly bindAddress?: string;
  readonly healthzBindAddress?: string;
  readonly metricsBindAddress?: string;
  readonly bindAddressHardFail?: boolean;
  readonly enableProfiling?: boolean;
  readonly showHiddenMetricsForVersion?: string;
  readonly mode?: string;
  readonly nftables?: {
    readonly masqueradeBit?: number;
    readonly masqueradeAll?: boolean;
    readonly syncPeriod?: string;
    readonly minSyncPeriod?: string;
  };
  readonly winkernel?: Readonly<Record<string, unknown>>;
  readonly detectLocalMode?: string;
  readonly detectLocal?: { readonly bridgeInterface?: string; readonly interfaceNamePrefix?: string };
  readonly clusterCIDR?: string;
  readonly nodePortAddresses?: readonly string[];
  readonly oomScoreAdj?: number;
  readonly conntrack?: {
    readonly maxPerCore?: number;
    readonly min?: number;
    readonly tcpEstablishedTimeout?: string;
    readonly tcpCloseWaitTimeout?: string;
    readonly tcpBeLiberal?: boolean;
    readonly udpTimeout?: string;
    readonly udpStreamTimeout?: string;
  };
  readonly configSyncPeriod?: string;
  readonly windowsRunAsService?: boolean;
}
