/** By what a request may ask for a document, and what the answer is then labelled with. Without an Accept header: JSON. */
export const openAPIV3Types = [
  { accept: "application/json", answer: "application/json", form: "json" },
  {
    accept: "application/com.github.proto-openapi.spec.v3@v1.0+protobuf",
    answer: "application/com.github.proto-openapi.spec.v3.v1.0+protobuf",
    form: "protobuf",
  },
  {
    accept: "application/com.github.proto-openapi.spec.v3.v1.0+protobuf",
    answer: "application/com.github.proto-openapi.spec.v3.v1.0+protobuf",
    form: "protobuf",
  },
] as const;
