// Documents of other servers: nothing about their shape is promised.

export const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

export const asTexts = (value: unknown): string[] => asArray(value).map(asText);
