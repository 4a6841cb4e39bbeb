// Kinds of a server of one's own.
export type { ApiKind, ApiSchema, ApiStrategy, ApiVersion, SubresourceFacts } from "./api-kind.js";
export { type KindBehaviour, type KindInGroup, kindOfDefinition, type VersionBehaviour } from "./kind-of-definition.js";
export { ownKind, type OwnKindDeps, type OwnResource } from "./own-kind.js";
export { hasRules } from "./has-rules.js";
