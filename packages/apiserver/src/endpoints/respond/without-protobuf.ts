import type { AnyKind } from "@coxswain/kinds";

/** Whether objects of a kind have no protobuf form: their type is a schema. */
export const isWithoutProtobuf = ({ facts }: AnyKind): boolean => facts.custom !== undefined || facts.own !== undefined;
