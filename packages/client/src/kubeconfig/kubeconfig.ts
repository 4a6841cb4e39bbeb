/** A kubeconfig as it stands in a file. Members that are not named here are kept when it is written again. */
export interface Kubeconfig {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly clusters?: readonly { readonly name: string; readonly cluster: KubeconfigCluster }[];
  readonly users?: readonly { readonly name: string; readonly user: KubeconfigUser }[];
  readonly contexts?: readonly { readonly name: string; readonly context: KubeconfigContext }[];
  readonly "current-context"?: string;
}

export interface KubeconfigCluster {
  readonly server?: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "certificate-authority"?: string;
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  readonly "disable-compression"?: boolean;
  readonly extensions?: readonly { readonly name: string; readonly extension: unknown }[];
}

export interface KubeconfigUser {
  readonly "client-certificate"?: string;
  readonly "client-certificate-data"?: string;
  readonly "client-key"?: string;
  readonly "client-key-data"?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly as?: string;
  readonly "as-uid"?: string;
  readonly "as-groups"?: readonly string[];
  readonly "as-user-extra"?: Readonly<Record<string, readonly string[]>>;
  readonly username?: string;
  readonly password?: string;
  readonly "auth-provider"?: { readonly name: string; readonly config?: Readonly<Record<string, string>> };
  readonly exec?: KubeconfigExec;
}

export interface KubeconfigExec {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: string;
}

export interface KubeconfigContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}
