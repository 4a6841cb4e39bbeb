export { openSslCiphers, tlsVersions } from "./cipher-suites.js";
export { chooseByName, type NamedCertificate, namesIn, readNamedFiles } from "./sni-certificates.js";
export { type WatchedFiles, watchFiles } from "../files/index.js";
