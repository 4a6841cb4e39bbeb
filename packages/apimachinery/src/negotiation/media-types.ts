export type MediaTypeName = "application/json" | "application/yaml" | "application/vnd.kubernetes.protobuf";

/** A form in which objects travel. */
export interface MediaType {
  readonly name: MediaTypeName;
  /** Has a form for streams of watch events. */
  readonly streams: boolean;
  /** Has an indented form. */
  readonly pretty: boolean;
}

/** What the API server speaks, in the order it lists them; the first is the default. CBOR is an alpha gate upstream and is not among them. */
export const servedMediaTypes: readonly MediaType[] = [
  { name: "application/json", streams: true, pretty: true },
  { name: "application/yaml", streams: false, pretty: false },
  { name: "application/vnd.kubernetes.protobuf", streams: true, pretty: false },
];

export const mediaTypeNames = (types: readonly MediaType[]): string[] => types.map((type) => type.name);

export const streamMediaTypeNames = (types: readonly MediaType[]): string[] =>
  types.filter((type) => type.streams).map((type) => `${type.name};stream=watch`);

/** The Content-Type of a watch: JSON events need no framing and have no parameter for the stream. */
export const watchContentType = (name: MediaTypeName): string =>
  name === "application/json" ? name : `${name};stream=watch`;
