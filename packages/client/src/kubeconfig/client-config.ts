import type { Impersonation } from "../rest/impersonation.js";

/** PEM, in a text or in a file that may be rotated. */
export type Pem = { readonly data: string } | { readonly file: string };

/** All that is needed to reach a cluster as somebody. Paths are absolute. Written by hand, or read from a kubeconfig. */
export interface ClientConfig {
  /** "https://host:6443". */
  readonly server: string;
  /** Where a program works that names no namespace. @default "default" */
  readonly namespace?: string;
  /** Whom to trust. @default the system's authorities */
  readonly certificateAuthority?: Pem;
  /** The name that the server's certificate must have. @default the host */
  readonly tlsServerName?: string;
  /** Does not verify the server's certificate. @default false */
  readonly insecureSkipTlsVerify?: boolean;
  readonly clientCertificate?: { readonly cert: Pem; readonly key: Pem };
  readonly token?: string;
  /** Read again and again; wins over `token`. */
  readonly tokenFile?: string;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly exec?: ExecConfig;
  readonly oidc?: OidcConfig;
  readonly impersonate?: Impersonation;
  /** "" for none. @default from HTTPS_PROXY and its kin */
  readonly proxyUrl?: string;
  readonly disableCompression?: boolean;
}

/** A program that prints credentials. */
export interface ExecConfig {
  readonly apiVersion: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  /** With a slash a path, else looked for in PATH. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Shown when the program is not there. */
  readonly installHint?: string;
  /** Whether the program is given the cluster's address and authorities. @default false */
  readonly provideClusterInfo?: boolean;
  /** Given to the program as `spec.cluster.config`: the extension `client.authentication.k8s.io/exec` of the cluster. */
  readonly clusterConfig?: unknown;
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
}

/** An ID token, and how to get another. */
export interface OidcConfig {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly idToken?: string;
  readonly refreshToken?: string;
  readonly issuerAuthority?: Pem;
  /** Where the tokens came from, so that new ones can be written back. */
  readonly kubeconfig?: { readonly file: string; readonly user: string };
}
