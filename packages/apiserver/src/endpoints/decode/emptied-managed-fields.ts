interface WithMetadata {
  metadata?: { managedFields?: unknown };
}

/** An empty list of managed fields is a wish (forget them all) that the canonical form does not know: it is put back. */
export function keepEmptiedManagedFields(object: unknown, json: Uint8Array): void {
  const { metadata } = (object ?? {}) as WithMetadata;
  if (!metadata || metadata.managedFields !== undefined || !Buffer.from(json.buffer, json.byteOffset, json.length).includes('"managedFields"')) return;
  const sent = (JSON.parse(new TextDecoder().decode(json)) as WithMetadata | null)?.metadata?.managedFields;
  if (Array.isArray(sent) && sent.length === 0) metadata.managedFields = [];
}
