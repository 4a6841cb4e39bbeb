import { decode, encode, ProtobufError } from "@coxswain/wire/protobuf";
import { TransformError } from "../transformer.js";
import { dekSource, type EncryptedObject, encryptedObject } from "./rpc.js";

const maxKeyIdBytes = 1024;
const maxSourceBytes = 1024;
const maxAnnotationBytes = 32 * 1024;

/** @throws TransformError */
export function readEncryptedObject(kept: Uint8Array): EncryptedObject {
  let read: EncryptedObject;
  try {
    read = decode(encryptedObject, kept);
  } catch (error) {
    if (error instanceof ProtobufError) throw new TransformError(error.message, { cause: error });
    throw error;
  }
  checkEncryptedObject(read);
  return read;
}

export const writeEncryptedObject = (value: EncryptedObject): Buffer => encode(encryptedObject, value);

/** What both sides of the API promise about a wrapped key. @throws TransformError */
export function checkEncryptedObject({
  encryptedData,
  keyId,
  encryptedDekSource,
  annotations,
  sourceType,
}: EncryptedObject): void {
  if (sourceType !== dekSource.key && sourceType !== dekSource.seed)
    throw new TransformError(`unknown encryptedDEKSourceType: ${sourceType}`);
  if (encryptedData.length === 0) throw new TransformError("encrypted data is empty");
  if (encryptedDekSource.length === 0)
    throw new TransformError("failed to validate encrypted DEK source: encrypted DEK source is empty");
  if (encryptedDekSource.length > maxSourceBytes)
    throw new TransformError(
      `failed to validate encrypted DEK source: encrypted DEK source is ${encryptedDekSource.length} bytes, which exceeds the max size of ${maxSourceBytes}`,
    );
  checkKeyId(keyId);
  let bytes = 0;
  for (const [name, value] of annotations) {
    if (!isFullyQualified(name))
      throw new TransformError(
        `failed to validate annotations: ${JSON.stringify(name)} is not a fully qualified domain name`,
      );
    bytes += Buffer.byteLength(name) + value.length;
  }
  if (bytes > maxAnnotationBytes)
    throw new TransformError(
      `failed to validate annotations: total size of annotations is ${bytes}, which exceeds the max size of ${maxAnnotationBytes}`,
    );
}

export function checkKeyId(keyId: string): void {
  const bytes = Buffer.byteLength(keyId);
  if (bytes === 0) throw new TransformError("failed to validate key id: keyID is empty");
  if (bytes > maxKeyIdBytes)
    throw new TransformError(
      `failed to validate key id: keyID is ${bytes} bytes, which exceeds the max size of ${maxKeyIdBytes}`,
    );
}

/** At least two labels of lower-case letters, digits and dashes; a dot at the end is fine. */
const isFullyQualified = (name: string): boolean => {
  const labels = name.replace(/\.$/, "").split(".");
  return (
    name.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  );
};

/** The same for two values whose keys were made from the same source. */
export const cacheKeyOf = ({ keyId, encryptedDekSource, annotations, sourceType }: EncryptedObject): string =>
  JSON.stringify([
    sourceType,
    Buffer.from(encryptedDekSource).toString("base64"),
    keyId,
    [...annotations].map(([name, value]) => [name, Buffer.from(value).toString("base64")]).sort(),
  ]);
