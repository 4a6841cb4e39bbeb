/** A YAML document before its values have types, as go-yaml's decoder is given it. Lines count from 1. */
export type YamlNode = YamlScalarNode | YamlCollection | YamlAlias;

export interface YamlScalarNode {
  readonly kind: "scalar";
  readonly value: string;
  readonly tag: string;
  readonly plain: boolean;
  readonly line: number;
}

export interface YamlCollection {
  readonly kind: "mapping" | "sequence";
  /** Of a mapping keys and values by turns. */
  readonly children: YamlNode[];
  readonly line: number;
}

export interface YamlAlias {
  readonly kind: "alias";
  readonly name: string;
  readonly target: YamlNode;
  readonly line: number;
}
