import type { ListenOptions } from "@coxswain/apiserver";
import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";
import { openSslCiphers, readNamedFiles, tlsVersions } from "@coxswain/component/serving";
import type { TlsFiles } from "./tls-files.js";

/** Where the server listens, and what it shows there. */
export const listeningFlags = defineFlags({
  "bind-address": {
    group: "Server",
    type: "string",
    default: "127.0.0.1",
    value: "address",
    help: "The address to listen on. Only this machine reaches the default.",
  },
  "secure-port": {
    group: "Server",
    type: "integer",
    default: 6443,
    min: 0,
    max: 65535,
    value: "port",
    help: "The port to serve HTTPS on; 0 takes any free one.",
  },
  "more-bind-addresses": {
    group: "Server",
    type: "strings",
    value: "address,…",
    help: "Further addresses to listen on, on the same port, such as ::1.",
  },
  "tls-san": {
    group: "Server",
    type: "strings",
    default: [],
    value: "name|address,…",
    help: "Further names and addresses that the server's own certificate is valid for: those by which other machines reach it.",
  },
  "external-hostname": {
    group: "Server",
    type: "string",
    value: "host",
    help: "The name in discovery documents. Default: the address to listen on.",
  },
  "advertise-address": {
    group: "Network",
    type: "string",
    value: "address",
    help: "Where clients inside the cluster reach the server. Default: the address to listen on, or one of this machine's if that is a loopback address.",
  },
  "tls-cert-file": {
    group: "TLS",
    type: "string",
    value: "file",
    help: "The server's certificate, with those of intermediate authorities behind it. A new one is taken while the server runs. Default: one made in the data directory.",
  },
  "tls-private-key-file": { group: "TLS", type: "string", value: "file", help: "The key of that certificate." },
  "client-ca-file": {
    group: "TLS",
    type: "string",
    value: "file",
    help: "Client certificates that these authorities signed are accepted. A new file is taken while the server runs. Default: the authority in the data directory.",
  },
  "tls-sni-cert-key": {
    group: "TLS",
    type: "strings",
    whole: true,
    value: "cert,key[:name,…]",
    help: "A certificate for clients that ask for one of these names (*.example.com covers one label). May be repeated. Default names: those in the certificate.",
  },
  "tls-min-version": {
    group: "TLS",
    type: "string",
    choices: [...tlsVersions.keys()],
    help: "The oldest TLS version that is accepted. Default: VersionTLS12.",
  },
  "tls-cipher-suites": {
    group: "TLS",
    type: "strings",
    value: "name,…",
    help: "Cipher suites for TLS 1.2, by Go's names. Default: Node's.",
  },
  "http2-max-streams-per-connection": {
    group: "Limits",
    type: "integer",
    default: 0,
    min: 0,
    value: "count",
    help: "Requests at once on one connection of HTTP/2. 0: 100.",
  },
});

/** Where the server listens and how it is reached. */
export interface ListeningSetup {
  readonly bindAddress: string;
  readonly securePort: number;
  readonly moreBindAddresses: readonly string[];
  /** More names that the server's own certificate is valid for. */
  readonly certificateNames: readonly string[];
  /** @default the address to listen on */
  readonly externalHostname: string | undefined;
  /** @default the address to listen on, or one of this machine's */
  readonly advertiseAddress: string | undefined;
  readonly tls: TlsFiles;
  readonly connections: Pick<ListenOptions, "minVersion" | "ciphers" | "maxStreams">;
}

/** @throws FlagError */
export function listeningFrom(options: OptionsOf<typeof listeningFlags>): ListeningSetup {
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined))
    throw new FlagError("--tls-cert-file and --tls-private-key-file go together");
  const minVersion = options.tlsMinVersion === undefined ? undefined : tlsVersions.get(options.tlsMinVersion);
  return {
    bindAddress: options.bindAddress,
    securePort: options.securePort,
    moreBindAddresses: options.moreBindAddresses,
    certificateNames: options.tlsSan,
    externalHostname: options.externalHostname,
    advertiseAddress: options.advertiseAddress,
    tls: {
      certificateFile: options.tlsCertFile,
      keyFile: options.tlsPrivateKeyFile,
      clientAuthorityFile: options.clientCaFile,
      named: options.tlsSniCertKey.map((text) => {
        const files = readNamedFiles(text);
        if (!files)
          throw new FlagError(`--tls-sni-cert-key must be cert,key or cert,key:name,…, not ${JSON.stringify(text)}`);
        return files;
      }),
    },
    connections: {
      ...(minVersion === undefined ? {} : { minVersion }),
      ...(options.tlsCipherSuites.length === 0 ? {} : { ciphers: openSslCiphers(options.tlsCipherSuites) }),
      ...(options.http2MaxStreamsPerConnection === 0 ? {} : { maxStreams: options.http2MaxStreamsPerConnection }),
    },
  };
}
