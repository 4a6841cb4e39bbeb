export { connectExternalSigner, type ExternalSigner, type ExternalSignerOptions } from "./external-signer.js";
