export { createEncryption, type Encryption, type EncryptionOptions } from "./create-encryption.js";
export { encryptStore } from "./encrypted-store.js";
export type {
  EncryptionConfiguration,
  KeysConfiguration,
  KmsConfiguration,
  ProviderConfiguration,
  ResourceConfiguration,
} from "./configuration.js";

export { createAesCbc, createAesGcm } from "./aes.js";
export { type KmsProvider, type KmsProviderOptions, startKmsProvider } from "./kms/kms-provider.js";
export {
  firstOf,
  identityTransformer,
  type PrefixedTransformer,
  type ReadValue,
  type Transformer,
  TransformError,
} from "./transformer.js";
export { validateEncryptionConfiguration } from "./validate-configuration.js";
