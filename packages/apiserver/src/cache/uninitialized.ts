/** What an entry has among its fields as long as initializers are pending, where the server knows them; nothing else has it. */
export const uninitializedField = { name: "metadata.initializers", value: "pending" } as const;
