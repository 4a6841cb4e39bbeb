/** A parameter as OpenAPI 2 writes it. */
export interface WrittenParameter {
  uniqueItems?: true;
  type?: string;
  description?: string;
  name: string;
  in: "path" | "query" | "body";
  required?: true;
  schema?: { $ref?: string; type?: string };
}

/**
 * Parameters that many operations have are written once, under a name that is derived from their content. Some are kept in
 * place: the object's name and body differ from kind to kind, and old versions of kubectl look for dryRun and fieldValidation.
 */
export function isShared({ name, in: place, schema }: WrittenParameter): boolean {
  if (place === "body") return schema?.$ref?.startsWith("#/definitions/io.k8s.apimachinery") ?? false;
  return name !== "name" && !(place === "query" && (name === "fieldValidation" || name === "dryRun"));
}

/** `limit-1NfNmdNH`: the name, and the head of an FNV-1 hash of the parameter's JSON. */
export function sharedName(parameter: WrittenParameter): string {
  const hash = Buffer.alloc(8);
  hash.writeBigUInt64BE(fnv1(new TextEncoder().encode(JSON.stringify(parameter))));
  // Padding cannot occur: six bytes are eight characters.
  return `${parameter.name}-${hash.subarray(0, 6).toString("base64url")}`;
}

function fnv1(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, hash * 0x100000001b3n) ^ BigInt(byte);
  return hash;
}
