/** By what a request may ask for the document, and what the answer is then labelled with. Without an Accept header: JSON. */
export const openAPIV2Types = [
  { accept: "application/json", answer: "application/json", form: "json" },
  // The "@" is no legal character of a media type; clients send it all the same.
  {
    accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
    answer: "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    form: "protobuf",
  },
  {
    accept: "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    answer: "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    form: "protobuf",
  },
] as const;
